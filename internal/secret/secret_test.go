package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"annai/internal/secret"
)

func TestText(t *testing.T) {
	const key = "s3cr3t"
	holder := struct{ Key secret.Text }{key}
	encoded, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("set", "key", holder.Key)
	for how, text := range map[string]string{
		"%v": fmt.Sprintf("%v", holder), "%+v": fmt.Sprintf("%+v", &holder), "%#v": fmt.Sprintf("%#v", holder.Key), "%q": fmt.Sprintf("%q", holder.Key),
		"%x": fmt.Sprintf("%x", holder.Key), "%d": fmt.Sprintf("%d", holder.Key), "JSON": string(encoded), "log": log.String(),
		"Hide": secret.Hide("the server says: "+key+" is no key", "", holder.Key),
	} {
		if strings.Contains(text, key) || strings.Contains(text, fmt.Sprintf("%x", key)) || !strings.Contains(text, "***") {
			t.Errorf("by %s a secret is %q, want asterisks", how, text)
		}
	}
	if string(holder.Key) != key {
		t.Errorf("string(%s) = %q, want the text itself", key, string(holder.Key))
	}
}
