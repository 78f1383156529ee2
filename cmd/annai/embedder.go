package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"annai/internal/config"
	"annai/internal/privatefile"
	"annai/internal/setup"
	"annai/llm"
	"annai/llm/langchain"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/embedded"
	"annai/venue"
)

// openEmbedder returns the embedder of the settings. One of a service is asked once; what is wrong with it is said in one line.
func openEmbedder(ctx context.Context, c config.Config) (rag.Embedder, error) {
	if err := c.CheckEmbedder(); err != nil {
		return nil, err
	}
	opts := langchain.EmbedderOptions{BaseURL: c.Embedder.URL, Key: langchain.Key(c.Embedder.Key)}
	connect := langchain.OpenAIEmbedder
	switch c.Embedder.Provider {
	case "ollama":
		connect = langchain.OllamaEmbedder
	case "google":
		connect = langchain.GoogleEmbedder
	case "openai":
	default:
		e, err := embedded.New()
		if err != nil {
			return nil, fmt.Errorf("embedder: %w", err)
		}
		return e, nil
	}
	e, err := connect(ctx, c.Embedder.Name, opts)
	if err != nil {
		return nil, setup.OneLine(fmt.Errorf("embedder: %w", err))
	}
	return e, nil
}

// embedder tries the embedder of the settings.
func (d *doctor) embedder(ctx context.Context, c config.Config) {
	if c.Embedder.Embedded() && c.CheckEmbedder() == nil {
		d.say(true, "embedder", "inside this program")
		return
	}
	e, err := openEmbedder(ctx, c)
	var failure *llm.Failure
	switch {
	case errors.As(err, &failure):
		d.say(false, "embedder", "%s: %s %s (%v)", failure.Model, failure.Advice("en"), failure.Advice("ja"), setup.OneLine(err))
	case err != nil:
		d.say(false, "embedder", "%v", setup.OneLine(err))
	default:
		d.say(true, "embedder", "%s", e.Fingerprint())
	}
}

// vectorsFile lies beside a venue file, or in the data folder, and has the vectors of the venue's passages, so that a start does not compute them.
const vectorsFile = "knowledge.vectors"

// knownVectors returns the vectors of the venue's own passages: from the data folder, from beside the
// venue, or computed now, in which case they are kept: in the store that servers share, or else in the
// data folder, if there is one. A file that is none is computed anew.
func knownVectors(
	ctx context.Context, c config.Config, v *venue.Venue, own []rag.Passage, e rag.Embedder, shared *corpus.Store,
	log *slog.Logger,
) (*rag.Vectors, error) {
	known := shippedVectors(v, log)
	if c.Data != "" {
		if kept := readVectors(os.DirFS(c.Data), log); kept != nil {
			known = kept
		}
	}
	fill := func(e rag.Embedder) error { return known.Fill(ctx, own, e, rag.Options{Pieces: pieces}) }
	var err error
	if shared != nil {
		err = shared.Keeping(ctx, e, fill)
	} else {
		err = fill(e)
	}
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", setup.OneLine(err))
	}
	if c.Data != "" && known.Added() > 0 {
		if err := keepVectors(c.Data, known); err != nil {
			log.Warn("vectors of the venue not kept", "err", err)
		}
	}
	return known, nil
}

// shippedVectors returns what lies beside the venue file. Where nothing does it is what lies beside the demonstration venue's, which has what all
// venues share.
func shippedVectors(v *venue.Venue, log *slog.Logger) *rag.Vectors {
	if known := readVectors(v.Files, log); known != nil {
		return known
	}
	if demo, err := venue.Demo(); err == nil {
		if known := readVectors(demo.Files, log); known != nil {
			return known
		}
	}
	return new(rag.Vectors)
}

// readVectors returns what is in the file of a folder; nil where there is none that can be read.
func readVectors(folder fs.FS, log *slog.Logger) *rag.Vectors {
	file, err := folder.Open(vectorsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var known *rag.Vectors
	if err == nil {
		known, err = rag.ReadVectors(file)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		log.Warn("vectors left out, and computed anew", "file", vectorsFile, "err", setup.OneLine(err))
		return nil
	}
	return known
}

// keepVectors writes the file of the data folder, all of it or nothing.
func keepVectors(data string, known *rag.Vectors) error {
	var text bytes.Buffer
	if err := known.Write(&text); err != nil {
		return err
	}
	return privatefile.Replace(filepath.Join(data, vectorsFile), text.Bytes())
}

// knowledgeOptions are those of every retriever that visitors ask. A service that does not answer a question in half the time of the sources leaves it to
// the words.
func knowledgeOptions(c config.Config, known *rag.Vectors) rag.Options {
	return rag.Options{
		Pieces: pieces, Known: known, EmbedTimeout: c.SourceDeadline / time.Duration(2),
		Asked: new(rag.QuestionVectors),
	}
}
