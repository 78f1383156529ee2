package runs

// IndexText is what an index takes of a value.
func IndexText(x Index, value Object) string { return x.text(value) }

// ReduceMessages merges an update into messages.
func ReduceMessages(value, update any) any { return reduceMessages(value, update) }
