package graph

import (
	"reflect"
	"unsafe"
)

// A Write is one channel and the value it gets, as [Channel.Write] made it.
type Write[S any] struct {
	channel *channel[S]
	// Most values are numbers, texts and lists, and every node makes some. As interfaces each of them would be an object of its own, so they are
	// packed: a pointer and a word, which mean what the packing of the channel says.
	pointer unsafe.Pointer
	word    uint64
}

// Channel returns the name of the channel.
func (w Write[S]) Channel() string { return w.channel.name }

// Value returns the value, of the channel's update type.
func (w Write[S]) Value() any { return w.channel.value(&w) }

// packing says how values of a type are packed.
type packing uint8

const (
	// boxed: the pointer is to a copy of the value.
	boxed packing = iota
	// inWord: the value is in the word. It has at most eight bytes and no pointers.
	inWord
	// textual: the pointer is to a string's bytes, the word its length.
	textual
	// listed: the pointer is to a slice's array, the word its length. Room behind is not kept: nobody appends to what was written.
	listed
)

// packingOf returns the packing of values of type U.
func packingOf[U any]() packing {
	switch reflect.TypeFor[U]().Kind() {
	case reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return inWord
	case reflect.String:
		return textual
	case reflect.Slice:
		return listed
	default:
		return boxed
	}
}

// textHeader and listHeader are how Go lays out strings and slices.
type (
	textHeader struct {
		data   unsafe.Pointer
		length int
	}
	listHeader struct {
		textHeader

		capacity int
	}
)

func pack[U any](as packing, value U) (pointer unsafe.Pointer, word uint64) {
	switch as {
	case inWord:
		*(*U)(unsafe.Pointer(&word)) = value
		return nil, word
	case textual, listed: // a slice begins as a string does
		header := (*textHeader)(unsafe.Pointer(&value))
		return header.data, uint64(header.length)
	default:
		box := new(U)
		*box = value
		return unsafe.Pointer(box), 0
	}
}

func unpack[U any](as packing, pointer unsafe.Pointer, word uint64) (value U) {
	switch as {
	case inWord:
		return *(*U)(unsafe.Pointer(&word))
	case textual:
		*(*textHeader)(unsafe.Pointer(&value)) = textHeader{pointer, int(word)}
		return value
	case listed:
		*(*listHeader)(unsafe.Pointer(&value)) = listHeader{textHeader{pointer, int(word)}, int(word)}
		return value
	default:
		return *(*U)(pointer)
	}
}

// clip takes the room behind a list, so that two nodes that append to the same state do not write to the same place.
func clip[T any](as packing, value *T) {
	if as == listed {
		header := (*listHeader)(unsafe.Pointer(value))
		header.capacity = header.length
	}
}
