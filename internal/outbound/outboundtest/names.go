package outboundtest

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// Names are what names resolve to, by name in small letters; "" stands for all others. What is
// neither there is not found.
type Names map[string][]netip.Addr

// Resolver returns a resolver that is told of these names over the wire of DNS (RFC 1035), and of
// no others.
func (n Names) Resolver() *net.Resolver {
	dial := func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		var serving sync.WaitGroup
		serving.Go(func() { _ = n.serve(theirs) }) // until the resolver closes its end
		return &conn{Conn: ours, wait: serving.Wait}, nil
	}
	return &net.Resolver{PreferGo: true, StrictErrors: true, Dial: dial}
}

// A conn is closed once nobody serves it any more.
type conn struct {
	net.Conn
	wait func()
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.wait()
	return err
}

// serve answers questions over a stream: two bytes of length, then a message.
func (n Names) serve(c net.Conn) error {
	defer func() { _ = c.Close() }()
	for {
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return err
		}
		message := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c, message); err != nil {
			return err
		}
		answer, err := n.answer(message)
		if err != nil {
			return err
		}
		if _, err := c.Write(binary.BigEndian.AppendUint16(nil, uint16(len(answer)))); err != nil {
			return err
		}
		if _, err := c.Write(answer); err != nil {
			return err
		}
	}
}

const (
	headerSize     = 12
	typeA, typeAAA = 1, 28
	noSuchName     = 3
)

// answer answers the one question of a message: with addresses of the family that it is about.
func (n Names) answer(message []byte) ([]byte, error) {
	name, end, err := question(message)
	if err != nil {
		return nil, err
	}
	addresses, known := n[name]
	if !known {
		addresses, known = n[""]
	}
	kind := binary.BigEndian.Uint16(message[end:])
	out := append([]byte{}, message[:headerSize]...)
	out[2], out[3] = 0x84, 0 // an answer of who knows
	if !known {
		out[3] = noSuchName
	}
	copy(out[6:], make([]byte, 6))
	out = append(out, message[headerSize:end+4]...)
	for _, a := range addresses {
		if (kind == typeA) != a.Is4() || kind != typeA && kind != typeAAA {
			continue
		}
		out[7]++
		out = append(out, 0xc0, headerSize) // the name of the question
		out = binary.BigEndian.AppendUint16(out, kind)
		out = append(out, 0, 1, 0, 0, 0, 0) // of the internet, not to be kept
		out = binary.BigEndian.AppendUint16(out, uint16(len(a.AsSlice())))
		out = append(out, a.AsSlice()...)
	}
	return out, nil
}

// question reads the name that is asked for, and where it ends.
func question(message []byte) (name string, end int, err error) {
	var labels []string
	for at := headerSize; at < len(message); {
		size := int(message[at])
		if size == 0 && at+5 <= len(message) {
			return strings.ToLower(strings.Join(labels, ".")), at + 1, nil
		}
		if size == 0 || at+1+size > len(message) {
			break
		}
		labels = append(labels, string(message[at+1:at+1+size]))
		at += 1 + size
	}
	return "", 0, errors.New("the question has no end")
}
