package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"annai/internal/secret"
)

// fromSecretFile takes the name of a file that has the value of the setting called twin in it, on a line by itself.
func fromSecretFile(twin string, field func(*Config) *secret.Text, parse func(*Config, string) error) func(*Config, string) error {
	return func(c *Config, path string) error {
		if *field(c) != "" {
			return fmt.Errorf("%s is set too; one of the two must go", twin)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(data))
		if text == "" {
			return fmt.Errorf("%s is empty", path)
		}
		if err := parse(c, text); err != nil {
			return fmt.Errorf("what is in %s %w", path, err)
		}
		return nil
	}
}

func postgresField(c *Config) *secret.Text { return &c.Postgres }

// parsePostgres takes what looks like an address. What is wrong with one is not said, since a part of the password might be in that.
func parsePostgres(c *Config, s string) error {
	_, err := url.Parse(s)
	isURL := strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
	if isURL && err != nil || !isURL && !strings.Contains(s, "=") {
		return errors.New("is no address like postgres://user@host/database; in a password, characters like / and : are written as %2F and %3A")
	}
	c.Postgres = secret.Text(s)
	return nil
}

func keyField(c *Config) *secret.Text { return &c.EncryptionKey }

// keySize is that of AES-256, in bytes.
const keySize = 32

func parseKey(c *Config, s string) error {
	key, err := hex.DecodeString(s)
	if err != nil || len(key) != keySize {
		return fmt.Errorf("is no key: %d hexadecimal digits are, as openssl rand -hex %d makes them", 2*keySize, keySize)
	}
	c.EncryptionKey = secret.Text(key)
	return nil
}
