package row

import (
	"encoding/base64"
	"strings"
)

// kindDocument is the kind of rows whose content the codec does not know.
const kindDocument byte = 'd'

// EncodeDocument returns the row of a content that is the caller's own, for the place, as [Codec.EncodeRecord] does for a record.
func (c *Codec) EncodeDocument(p Place, content []byte) ([]byte, error) {
	return c.seal(kindDocument, p, append(room(len(content)), content...))
}

// DecodeDocument returns the content of a row that was found at the place, to which what [Codec.Records] says applies. It may share memory with the row.
func (c *Codec) DecodeDocument(p Place, row []byte) ([]byte, error) {
	return c.open(kindDocument, p, row)
}

// Digest says which content it is without showing it, like the [Address] of a large value: what is equal has the same.
func (c *Codec) Digest(content []byte) Address { return c.address(content) }

// SealText returns the text as it is kept at the place: encrypted behind the prefix, with which no
// other text may begin, where there is a key, else as it is.
func (c *Codec) SealText(prefix string, p Place, text string) (string, error) {
	if c.addressKey == nil {
		return text, nil
	}
	closed, err := c.EncodeDocument(p, []byte(text))
	return prefix + base64.StdEncoding.EncodeToString(closed), err
}

// OpenText returns the text that is kept at the place. What was kept before there was a key is
// returned as it is; for what was encrypted the errors are those of [Codec.DecodeDocument].
func (c *Codec) OpenText(prefix string, p Place, kept string) (string, error) {
	closed, is := strings.CutPrefix(kept, prefix)
	if !is {
		return kept, nil
	}
	raw, err := base64.StdEncoding.DecodeString(closed)
	if err == nil {
		raw, err = c.DecodeDocument(p, raw)
	}
	return string(raw), err
}
