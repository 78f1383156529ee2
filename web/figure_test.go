package web_test

import (
	"net/http/httptest"
	"testing"
)

// TestFigure looks at the figure, the front that lives and a VRM model with a headless Chromium that
// draws without a graphics card; the checks are in test/figure.test.mjs.
func TestFigure(t *testing.T) {
	needNode(t)
	needChromium(t)
	server := httptest.NewServer(newFake())
	defer server.Close()
	run(t, "node", "test/figure.test.mjs", server.URL)
}
