// Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
//
//	SIGNET=http://localhost:3000 go run .
//
// AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
// default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

const tries = 3

var (
	signet = setting("SIGNET", "http://localhost:3000")
	cursor = setting("CURSOR", "cursor")
	client = http.Client{Timeout: time.Minute}
)

type object = map[string]any

// refused is what the server answered: Code is for programs, Message for people.
type refused struct{ Message, Code string }

func (r refused) Error() string { return fmt.Sprintf("The server refused: %s (%s)", r.Message, r.Code) }

type payload struct {
	SignPayload string          `json:"sign_payload"`
	UUID        string          `json:"uuid"`
	CreatedAt   json.RawMessage `json:"created_at"` // sent back as it came: text of a link, number of a patch
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// call posts body, or reads where it is nil, into answer.
func call(path string, body, answer any) error {
	method, content := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, signet+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%s cannot be reached: %w", signet, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		var refusal refused
		if err := json.NewDecoder(response.Body).Decode(&refusal); err != nil {
			return err
		}
		return refusal
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func keccak(text string) []byte {
	hash := sha3.NewLegacyKeccak256()
	hash.Write([]byte(text))
	return hash.Sum(nil)
}

// sign is personal_sign over the text as it came, in Base64.
func sign(key *secp256k1.PrivateKey, text string) string {
	digest := keccak(fmt.Sprintf("\x19Ethereum Signed Message:\n%d%s", len(text), text))
	compact := ecdsa.SignCompact(key, digest, false)
	return base64.StdEncoding.EncodeToString(append(compact[1:], compact[0]))
}

func addressOf(key *secp256k1.PrivateKey) string {
	point := key.PubKey().SerializeUncompressed()[1:]
	return "0x" + hex.EncodeToString(keccak(string(point))[12:])
}

func secretOf(name string) (*secp256k1.PrivateKey, error) {
	text := os.Getenv(name)
	if text == "" {
		return secp256k1.GeneratePrivateKey()
	}
	secret, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(secret) != 32 {
		return nil, fmt.Errorf("%s is not a private key of 32 bytes in hex", name)
	}
	return secp256k1.PrivKeyFromBytes(secret), nil
}

// againWhenStale: another program may write for the same Avatar; then what was signed does not follow its chain any more.
func againWhenStale(step func() error) error {
	var err error
	for range tries {
		var refusal refused
		if err = step(); !errors.As(err, &refusal) || refusal.Code != "stale_chain" {
			return err
		}
	}
	return err
}

func bind(avatar string, avatarKey, walletKey *secp256k1.PrivateKey) error {
	link := object{"action": "create", "platform": "ethereum", "identity": addressOf(walletKey), "public_key": avatar}
	var issued payload
	if err := call("/v1/proof/payload", link, &issued); err != nil {
		return err
	}
	link["uuid"], link["created_at"] = issued.UUID, issued.CreatedAt
	link["extra"] = object{
		"signature":        sign(avatarKey, issued.SignPayload),
		"wallet_signature": sign(walletKey, issued.SignPayload),
	}
	return call("/v1/proof", link, &object{})
}

func write(avatar string, key *secp256k1.PrivateKey, patch object) error {
	var platforms struct {
		ServiceName string `json:"service_name"`
	}
	if err := call("/v1/platforms", nil, &platforms); err != nil {
		return err
	}
	entry := object{"avatar": avatar, "platform": platforms.ServiceName, "identity": avatar, "patch": patch}
	var issued payload
	if err := call("/v1/kv/payload", entry, &issued); err != nil {
		return err
	}
	entry["uuid"], entry["created_at"] = issued.UUID, issued.CreatedAt
	entry["signature"] = sign(key, issued.SignPayload)
	return call("/v1/kv", entry, &object{})
}

// follow counts the links that were recorded since the last call, each once.
func follow() (int, error) {
	kept, err := os.ReadFile(cursor)
	if errors.Is(err, os.ErrNotExist) {
		kept, err = []byte("0"), nil
	}
	if err != nil {
		return 0, err
	}
	last, err := strconv.ParseInt(string(kept), 10, 64)
	if err != nil {
		return 0, err
	}
	for count := 0; ; {
		var page struct{ Links []struct{ ID int64 } }
		if err := call(fmt.Sprintf("/v1/proofchain/changes?last_id=%d&count=100", last), nil, &page); err != nil {
			return count, err
		}
		if len(page.Links) == 0 {
			return count, nil
		}
		count += len(page.Links)
		last = page.Links[len(page.Links)-1].ID
		if err := os.WriteFile(cursor, []byte(strconv.FormatInt(last, 10)), 0o600); err != nil {
			return count, err
		}
	}
}

func run() error {
	avatarKey, err := secretOf("AVATAR_SECRET")
	if err != nil {
		return err
	}
	walletKey, err := secretOf("WALLET_SECRET")
	if err != nil {
		return err
	}
	avatar := setting("AVATAR", "0x"+hex.EncodeToString(avatarKey.PubKey().SerializeCompressed()))

	if err := againWhenStale(func() error { return bind(avatar, avatarKey, walletKey) }); err != nil {
		return err
	}
	wallet := addressOf(walletKey)
	var found struct{ IDs []struct{ Avatar string } }
	if err := call("/v1/proof?platform=ethereum&exact=true&identity="+url.QueryEscape(wallet), nil, &found); err != nil {
		return err
	}
	fmt.Printf("%s belongs to %s\n", wallet, found.IDs[0].Avatar)

	patch := object{"name": "Alice", "language": "Go"}
	if err := againWhenStale(func() error { return write(avatar, avatarKey, patch) }); err != nil {
		return err
	}
	var stored struct{ Proofs []struct{ Content object } }
	if err := call("/v1/kv?avatar="+avatar, nil, &stored); err != nil {
		return err
	}
	content, _ := json.Marshal(stored.Proofs[0].Content)
	fmt.Printf("content %s\n", content)

	first, err := follow()
	if err != nil {
		return err
	}
	then, err := follow()
	if err != nil {
		return err
	}
	fmt.Printf("links %d, then %d\n", first, then)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
