package tables

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/runs"
	"annai/storage/row"
)

// itemDocument is what of an item is in no column. The path says it too, but not to who reads it.
type itemDocument struct {
	Namespace []string
	Key       string
	Value     runs.Object
	TTL       float64 // minutes
	Meaning   []byte  `json:",omitempty"`
}

const itemColumns = `path, created, updated, expires, version, doc`

// isAlive is an item that is there at the time $1.
const isAlive = `(expires = 0 OR expires > $1)`

// path is the labels as bytes that sort as the labels do, one after the other. One that begins with other labels begins with their bytes.
func path(labels ...string) []byte {
	out := []byte{}
	for _, l := range labels {
		for i := range len(l) {
			if out = append(out, l[i]); l[i] == 0 {
				out = append(out, 0xff)
			}
		}
		out = append(out, 0, 1)
	}
	return out
}

func pathOf(namespace []string, key string) []byte {
	return path(append(slices.Clone(namespace), key)...)
}

func itemPlace(path []byte) row.Place { return row.Place{Thread: string(path), Namespace: "item"} }

// PutItem is part of [runs.Items]. It forgets some of those that expired, too, so that they don't become many.
func (s *Store) PutItem(ctx context.Context, i runs.Item) error {
	at := pathOf(i.Namespace, i.Key)
	document, err := s.encode(itemPlace(at), itemDocument{i.Namespace, i.Key, i.Value, i.TTLMinutes, i.Meaning})
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		const forget = `DELETE FROM annai_items WHERE path IN (SELECT path FROM annai_items WHERE expires > 0 AND expires <= $1 LIMIT 10)`
		if err := tx.Later(ctx, forget, ms(i.UpdatedAt)); err != nil {
			return err
		}
		const put = `INSERT INTO annai_items (path, depth, created, updated, expires, version, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (path) DO UPDATE SET updated = excluded.updated, expires = excluded.expires, version = excluded.version,
			doc = excluded.doc,
			created = CASE WHEN annai_items.expires = 0 OR annai_items.expires > excluded.updated
			THEN annai_items.created ELSE excluded.created END`
		depth := int64(len(i.Namespace))
		return tx.Later(ctx, put, at, depth, ms(i.CreatedAt), ms(i.UpdatedAt), msOf(i.ExpiresAt), i.Version, document)
	})
}

func (s *Store) scanItem(scan Scan) (i runs.Item, err error) {
	var created, updated, expires, version int64
	var path, document []byte
	if err := scan(&path, &created, &updated, &expires, &version, &document); err != nil {
		return i, err
	}
	var d itemDocument
	if err := s.decode(itemPlace(path), document, &d); err != nil {
		return i, err
	}
	return runs.Item{
		Namespace: d.Namespace, Key: d.Key, Value: d.Value, TTLMinutes: d.TTL,
		CreatedAt: at(created), UpdatedAt: at(updated), ExpiresAt: atOf(expires), Meaning: d.Meaning, Version: version,
	}, nil
}

// read reads in a transaction that writes too if there is something to refresh.
func (s *Store) read(ctx context.Context, refresh bool, do func(ctx context.Context, tx Tx) error) error {
	if refresh {
		return s.db.Update(ctx, do)
	}
	return s.db.Look(ctx, do)
}

// refresh lets items with a TTL live that long from now on.
func refresh(ctx context.Context, tx Tx, now time.Time, items []runs.Item) error {
	for n := range items {
		if i := &items[n]; i.TTLMinutes > 0 {
			until := now.Add(time.Duration(i.TTLMinutes * float64(time.Minute)))
			i.ExpiresAt = &until
			const update = `UPDATE annai_items SET expires = $2 WHERE path = $1`
			if err := tx.Later(ctx, update, pathOf(i.Namespace, i.Key), ms(until)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Item is part of [runs.Items].
func (s *Store) Item(ctx context.Context, namespace []string, key string, now time.Time, again bool) (i runs.Item, err error) {
	err = s.read(ctx, again, func(ctx context.Context, tx Tx) error {
		var found []runs.Item
		const query = `SELECT ` + itemColumns + ` FROM annai_items WHERE path = $2 AND ` + isAlive
		err := tx.Query(ctx, query, []any{ms(now), pathOf(namespace, key)}, func(scan Scan) error {
			i, err := s.scanItem(scan)
			found = append(found, i)
			return err
		})
		if err == nil && len(found) == 0 {
			err = missing("item", key)
		}
		if err == nil && again {
			err = refresh(ctx, tx, now, found)
		}
		if err == nil {
			i = found[0]
		}
		return err
	})
	return i, err
}

// DeleteItem is part of [runs.Items].
func (s *Store) DeleteItem(ctx context.Context, namespace []string, key string) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM annai_items WHERE path = $1`, pathOf(namespace, key))
		return err
	})
}

// errEnough ends a query whose further rows are not wanted.
var errEnough = errors.New("enough")

// SearchItems is part of [runs.Items].
func (s *Store) SearchItems(ctx context.Context, f runs.ItemFilter) (found []runs.Item, err error) {
	err = s.read(ctx, f.Refresh, func(ctx context.Context, tx Tx) error {
		found = nil
		if f.Page.Limit == 0 {
			return nil
		}
		begin := path(f.Prefix...)
		end := append(slices.Clone(begin), 0xff) // no label begins so
		skip := f.Page.Offset
		const query = `SELECT ` + itemColumns + ` FROM annai_items WHERE ` + isAlive + ` AND path >= $2 AND path < $3 AND depth >= $4 ORDER BY path`
		err := tx.Query(ctx, query, []any{ms(f.Now), begin, end, int64(len(f.Prefix))}, func(scan Scan) error {
			i, err := s.scanItem(scan)
			if err != nil || !runs.Matches(i.Value, f.Match) {
				return err
			}
			if skip--; skip >= 0 {
				return nil
			}
			if found = append(found, i); len(found) == f.Page.Limit {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
		if f.Refresh {
			return refresh(ctx, tx, f.Now, found)
		}
		return nil
	})
	return found, err
}

// ItemVersions is part of [runs.Items].
func (s *Store) ItemVersions(ctx context.Context, prefix []string, now time.Time) (found []runs.ItemVersion, err error) {
	begin := path(prefix...)
	end := append(slices.Clone(begin), 0xff) // no label begins so
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found = nil
		const query = `SELECT path, version FROM annai_items
			WHERE ` + isAlive + ` AND path >= $2 AND path < $3 AND depth >= $4`
		args := []any{ms(now), begin, end, int64(len(prefix))}
		return tx.Query(ctx, query, args, func(scan Scan) error {
			var at []byte
			var version int64
			if err := scan(&at, &version); err != nil {
				return err
			}
			labels := labelsOf(at)
			last := len(labels) - 1
			found = append(found, runs.ItemVersion{Namespace: labels[:last], Key: labels[last], Version: version})
			return nil
		})
	})
	return found, err
}

// perQuery is how many items a query names.
const perQuery = 64

// itemsAt is the query for that many items. Who wants fewer names one of them again.
var itemsAt = func() string {
	names := make([]string, perQuery)
	for n := range names {
		names[n] = "$" + strconv.Itoa(n+2)
	}
	return `SELECT ` + itemColumns + ` FROM annai_items WHERE ` + isAlive + ` AND path IN (` + strings.Join(names, ", ") + `)`
}()

// ItemsAt is part of [runs.Items].
func (s *Store) ItemsAt(ctx context.Context, at []runs.ItemVersion, now time.Time) (found []runs.Item, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found = nil
		for some := range slices.Chunk(at, perQuery) {
			args := []any{ms(now)}
			for n := range perQuery {
				i := some[min(n, len(some)-1)]
				args = append(args, pathOf(i.Namespace, i.Key))
			}
			err := tx.Query(ctx, itemsAt, args, func(scan Scan) error {
				i, err := s.scanItem(scan)
				found = append(found, i)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// Namespaces is part of [runs.Items].
func (s *Store) Namespaces(ctx context.Context, f runs.NamespaceFilter) ([][]string, error) {
	var found [][]string
	err := s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found = nil
		return tx.Query(ctx, `SELECT path FROM annai_items WHERE `+isAlive+` ORDER BY path`, []any{ms(f.Now)}, func(scan Scan) error {
			var at []byte
			if err := scan(&at); err != nil {
				return err
			}
			n := labelsOf(at)
			n = n[:len(n)-1]
			if !runs.Begins(n, f.Prefix) || !runs.Ends(n, f.Suffix) {
				return nil
			}
			if f.MaxDepth > 0 && len(n) > f.MaxDepth {
				n = n[:f.MaxDepth]
			}
			found = append(found, n)
			return nil
		})
	})
	slices.SortFunc(found, slices.Compare)
	return runs.Paged(slices.CompactFunc(found, slices.Equal), f.Page), err
}

// labelsOf reads a path.
func labelsOf(path []byte) (labels []string) {
	var l []byte
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] != 0:
			l = append(l, path[i])
		case i+1 < len(path) && path[i+1] == 0xff:
			l = append(l, 0)
			i++
		default:
			labels, l = append(labels, string(l)), nil
			i++
		}
	}
	return labels
}
