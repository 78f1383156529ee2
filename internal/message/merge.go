package message

import "slices"

// RemoveAll is the id of a message of type "remove" that takes out all messages.
const RemoveAll = "__remove_all__"

// Merge takes an update into a list: a message with a known id replaces the old one in its place, others are added at
// the end, and one that removes takes out what has its id. About returns a message's id, "" for none, and whether it
// removes. It takes a time that grows with the two lists, not with their product, and changes neither.
func Merge[M any](old, added []M, about func(M) (id string, removes bool)) []M {
	list := make([]M, len(old), len(old)+len(added))
	copy(list, old)
	places := make(map[string]int, cap(list)) // by id, into list
	gone := make([]bool, len(list), cap(list))
	for i, m := range list {
		if id, _ := about(m); id != "" {
			places[id] = i
		}
	}
	for _, m := range added {
		id, removes := about(m)
		at, known := places[id]
		switch {
		case removes && id == RemoveAll:
			list, gone = list[:0], gone[:0]
			clear(places)
		case removes && known:
			gone[at] = true // so that the places of the others stay; taken out below
			delete(places, id)
		case removes:
		case known:
			list[at] = m
		default:
			if id != "" {
				places[id] = len(list)
			}
			list, gone = append(list, m), append(gone, false)
		}
	}
	if !slices.Contains(gone, true) {
		return list
	}
	kept := list[:0]
	for i, m := range list {
		if !gone[i] {
			kept = append(kept, m)
		}
	}
	clear(list[len(kept):])
	return kept
}
