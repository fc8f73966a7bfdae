// Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
//
//	openapi-generator-cli generate -c openapi-generator.yaml -i http://localhost:3000/openapi.json
//	SIGNET=http://localhost:3000 go run .
//
// AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
// default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
package main

import (
	"context"
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

	"example.org/signet/signetapi"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

const tries = 3

var (
	signet = setting("SIGNET", "http://localhost:3000")
	cursor = setting("CURSOR", "cursor")
	client = signetapi.NewAPIClient(&signetapi.Configuration{
		Servers:    signetapi.ServerConfigurations{{URL: signet}},
		HTTPClient: &http.Client{Timeout: time.Minute},
	})
	ctx = context.Background()
)

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// reasonOf says in a sentence what went wrong, and by which code where the server refused. The code is read as text,
// because a newer server may have more of them than the client knows.
func reasonOf(err error) (sentence, code string) {
	var failure *signetapi.GenericOpenAPIError
	if !errors.As(err, &failure) {
		var unreached *url.Error
		if errors.As(err, &unreached) {
			return fmt.Sprintf("%s cannot be reached: %v", signet, unreached.Err), ""
		}
		return err.Error(), ""
	}
	var refusal struct{ Message, Code string }
	if json.Unmarshal(failure.Body(), &refusal) != nil {
		return "The server answered what is no refusal: " + failure.Error(), ""
	}
	return fmt.Sprintf("The server refused: %s (%s)", refusal.Message, refusal.Code), refusal.Code
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
		err = step()
		if err == nil {
			return nil
		}
		if _, code := reasonOf(err); code != string(signetapi.ERRORCODE_STALE_CHAIN) {
			return err
		}
	}
	return err
}

func bind(avatar string, avatarKey, walletKey *secp256k1.PrivateKey) error {
	wallet := addressOf(walletKey)
	link := signetapi.NewPayloadRequest(signetapi.LINKACTION_CREATE, "ethereum", wallet, avatar)
	issued, _, err := client.ProofsAPI.CreatePayload(ctx).PayloadRequest(*link).Execute()
	if err != nil {
		return err
	}
	extra := signetapi.NewSubmitExtra()
	extra.SetSignature(sign(avatarKey, issued.SignPayload))
	extra.SetWalletSignature(sign(walletKey, issued.SignPayload))
	signed := signetapi.NewSubmitRequest(link.Action, link.Platform, wallet, avatar, issued.Uuid, issued.CreatedAt)
	signed.SetExtra(*extra)
	_, _, err = client.ProofsAPI.SubmitProof(ctx).SubmitRequest(*signed).Execute()
	return err
}

func write(avatar string, key *secp256k1.PrivateKey, patch map[string]any) error {
	platforms, _, err := client.PlatformsAPI.ListPlatforms(ctx).Execute()
	if err != nil {
		return err
	}
	entry := signetapi.NewKvPayloadRequest(avatar, platforms.ServiceName, avatar, patch)
	issued, _, err := client.KeyValueAPI.CreateKvPayload(ctx).KvPayloadRequest(*entry).Execute()
	if err != nil {
		return err
	}
	signature := sign(key, issued.SignPayload)
	signed := signetapi.NewKvSubmitRequest(
		avatar, entry.Platform, avatar, patch, issued.Uuid, issued.CreatedAt, signature)
	_, _, err = client.KeyValueAPI.SubmitKvPatch(ctx).KvSubmitRequest(*signed).Execute()
	return err
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
		page, _, err := client.ProofChainAPI.ListChanges(ctx).LastId(last).Count(100).Execute()
		if err != nil || len(page.Links) == 0 {
			return count, err
		}
		count += len(page.Links)
		last = page.Links[len(page.Links)-1].Id
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
	find := client.ProofsAPI.FindProofs(ctx).Platform("ethereum").Identity([]string{wallet}).Exact(true)
	found, _, err := find.Execute()
	if err != nil {
		return err
	}
	fmt.Printf("%s belongs to %s\n", wallet, found.Ids[0].Avatar)

	patch := map[string]any{"name": "Alice", "language": "Go"}
	if err := againWhenStale(func() error { return write(avatar, avatarKey, patch) }); err != nil {
		return err
	}
	stored, _, err := client.KeyValueAPI.GetKv(ctx).Avatar(avatar).Execute()
	if err != nil {
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
		sentence, _ := reasonOf(err)
		fmt.Fprintln(os.Stderr, sentence)
		os.Exit(1)
	}
}
