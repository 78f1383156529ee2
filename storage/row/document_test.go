package row_test

import (
	"bytes"
	"errors"
	"testing"

	"annai/fault"
	"annai/storage/row"
)

func TestDocument(t *testing.T) {
	at, elsewhere := row.Place{Thread: "t", Namespace: "values"}, row.Place{Thread: "u", Namespace: "values"}
	for name, c := range every(t) {
		for _, content := range [][]byte{nil, []byte("何時？"), bytes.Repeat([]byte("long "), 1000)} {
			data, err := c.EncodeDocument(at, content)
			if err != nil {
				t.Fatalf("%s: EncodeDocument = %v", name, err)
			}
			got, err := c.DecodeDocument(at, data)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s: DecodeDocument = %d bytes, %v, want the %d encoded ones", name, len(got), err, len(content))
			}
			if _, err := c.DecodeRecord(at, data); !refused(err) {
				t.Errorf("%s: DecodeRecord(a document) = %v, want ErrInvalid or ErrDenied", name, err)
			}
		}
	}
	secret := codec(t, row.Options{Key: key(1)})
	data, err := secret.EncodeDocument(at, []byte("the secret of the lantern"))
	if err != nil || bytes.Contains(data, []byte("lantern")) {
		t.Errorf("EncodeDocument with a key = %q, %v, want what can't be read", data, err)
	}
	if _, err := secret.DecodeDocument(elsewhere, data); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("DecodeDocument at another place = %v, want ErrDenied", err)
	}
	if secret.Digest([]byte("a")) == codec(t, row.Options{Key: key(2)}).Digest([]byte("a")) {
		t.Error("Digest is the same with another key")
	}
}
