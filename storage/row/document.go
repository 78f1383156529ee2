package row

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
