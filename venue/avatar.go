package venue

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// maxDescription is how much of an avatar its description may be, in bytes: the part of the file that is JSON.
const maxDescription = 16 << 20

// A licence is what a VRM file says about who may use it, for what.
type licence struct {
	Avatar     string `json:"avatarPermission"` // of VRM 1.0
	Commercial string `json:"commercialUsage"`
	Allowed    string `json:"allowedUserName"` // of VRM 0.x
	Business   string `json:"commercialUssageName"`
}

// checkAvatar reads the description of a VRM file, and notes what its licence wants of the venue.
func (c *checker) checkAvatar(files fs.FS, name string) {
	const key = "appearance.avatar"
	l, err := readLicence(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // said before
	case err != nil:
		c.add(key, "%q is no VRM file: %v", name, err)
	case l.Avatar == "onlyAuthor" || l.Allowed == "OnlyAuthor":
		c.note(key, "%s says that only its author may use it", name)
	case l.Avatar == "onlySeparatelyLicensedPerson" || l.Allowed == "ExplicitlyLicensedPerson":
		c.note(key, "%s says that only who has a licence of its author may use it", name)
	}
	private := l.Commercial == "personalNonProfit" || l.Commercial == "personalProfit" || l.Business == "Disallow"
	if err == nil && private {
		c.note(key, "%s says that no company may use it", name)
	}
}

// readLicence returns the licence of a VRM file, which is binary glTF 2.0 with an extension.
func readLicence(files fs.FS, name string) (l licence, err error) {
	file, err := files.Open(name)
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var head struct{ Magic, Version, Length, Chunk, Kind uint32 }
	if err := binary.Read(file, binary.LittleEndian, &head); err != nil {
		return l, errors.New("it is too short")
	}
	const magic, kind = 0x46546c67, 0x4e4f534a // "glTF", "JSON"
	if head.Magic != magic || head.Version != 2 || head.Kind != kind || head.Chunk > maxDescription {
		return l, errors.New("it does not begin like binary glTF 2.0")
	}
	description := make([]byte, head.Chunk)
	if _, err := io.ReadFull(file, description); err != nil {
		return l, errors.New("it is cut off")
	}
	var model struct {
		Extensions struct {
			VRM1 *struct {
				Meta licence `json:"meta"`
			} `json:"VRMC_vrm"`
			VRM0 *struct {
				Meta licence `json:"meta"`
			} `json:"VRM"`
		} `json:"extensions"`
	}
	if err := json.Unmarshal(description, &model); err != nil {
		return l, fmt.Errorf("its description can't be read: %w", err)
	}
	switch e := model.Extensions; {
	case e.VRM1 != nil:
		return e.VRM1.Meta, nil
	case e.VRM0 != nil:
		return e.VRM0.Meta, nil
	}
	return l, errors.New("it is a glTF model without the extension VRMC_vrm")
}
