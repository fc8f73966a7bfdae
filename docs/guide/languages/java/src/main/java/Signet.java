import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.jcajce.provider.digest.Keccak;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
import org.example.signet.ApiClient;
import org.example.signet.ApiException;
import org.example.signet.api.KeyValueApi;
import org.example.signet.api.PlatformsApi;
import org.example.signet.api.ProofChainApi;
import org.example.signet.api.ProofsApi;
import org.example.signet.model.*;

/**
 * Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
 *
 * <pre>
 * openapi-generator-cli generate -c openapi-generator.yaml -i http://localhost:3000/openapi.json
 * mvn -q -f client -DskipTests install
 * SIGNET=http://localhost:3000 mvn -q compile exec:java -Dexec.mainClass=Signet
 * </pre>
 *
 * AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
 * default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
 */
public final class Signet {
  private static final int TRIES = 3;
  private static final String URL = setting("SIGNET", "http://localhost:3000");
  private static final Path CURSOR = Path.of(setting("CURSOR", "cursor"));
  private static final ApiClient API = new ApiClient(HttpClient.newBuilder(), ApiClient.createDefaultObjectMapper(), URL);
  private static final ProofsApi PROOFS = new ProofsApi(API);
  private static final KeyValueApi CONTENT = new KeyValueApi(API);

  interface Step {
    void run() throws ApiException;
  }

  /** A key pair on secp256k1. */
  record Key(BigInteger secret) {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByName("secp256k1");
    private static final ECDomainParameters DOMAIN = new ECDomainParameters(CURVE);

    static Key of(String name) {
      String text = System.getenv(name);
      if (text == null) return new Key(BigIntegers.createRandomInRange(BigInteger.ONE, CURVE.getN().subtract(BigInteger.ONE), new SecureRandom()));
      String digits = text.replaceFirst("^0x", "");
      if (!digits.matches("[0-9a-fA-F]{64}")) throw new IllegalArgumentException(name + " is not a private key of 32 bytes in hex.");
      return new Key(new BigInteger(digits, 16));
    }

    ECPoint point() {
      return CURVE.getG().multiply(secret).normalize();
    }

    String publicKey() {
      return "0x" + HexFormat.of().formatHex(point().getEncoded(true));
    }

    String address() {
      byte[] hash = keccak(Arrays.copyOfRange(point().getEncoded(false), 1, 65));
      return "0x" + HexFormat.of().formatHex(hash, 12, 32);
    }

    /** personal_sign over the text as it came, in Base64. */
    String sign(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      byte[] prefix = ("\u0019Ethereum Signed Message:\n" + bytes.length).getBytes(StandardCharsets.UTF_8);
      byte[] digest = keccak(org.bouncycastle.util.Arrays.concatenate(prefix, bytes));
      ECDSASigner signer = new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest()));
      signer.init(true, new ECPrivateKeyParameters(secret, DOMAIN));
      BigInteger[] rs = signer.generateSignature(digest);
      byte[] signature = new byte[65];
      System.arraycopy(BigIntegers.asUnsignedByteArray(32, rs[0]), 0, signature, 0, 32);
      System.arraycopy(BigIntegers.asUnsignedByteArray(32, rs[1]), 0, signature, 32, 32);
      // v says which of the two points with this r leads back to the key.
      signature[64] = (byte) (27 + (leadsBack(rs, digest, 0) ? 0 : 1));
      return Base64.getEncoder().encodeToString(signature);
    }

    private boolean leadsBack(BigInteger[] rs, byte[] digest, int parity) {
      ECPoint point = CURVE.getCurve().decodePoint(org.bouncycastle.util.Arrays.prepend(BigIntegers.asUnsignedByteArray(32, rs[0]), (byte) (2 + parity)));
      BigInteger n = CURVE.getN();
      BigInteger inverse = rs[0].modInverse(n);
      BigInteger ofPoint = inverse.multiply(rs[1]).mod(n);
      BigInteger ofBase = inverse.multiply(new BigInteger(1, digest)).negate().mod(n);
      return ECAlgorithms.sumOfTwoMultiplies(CURVE.getG(), ofBase, point, ofPoint).normalize().equals(point());
    }

    private static byte[] keccak(byte[] bytes) {
      return new Keccak.Digest256().digest(bytes);
    }
  }

  private static String setting(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null ? otherwise : value;
  }

  /** What the server answered: the code is for programs, the message for people. A newer server may have more codes. */
  private static JsonNode refusalOf(ApiException failure) throws IOException {
    if (failure.getResponseBody() == null) throw new IOException(failure.getCause());
    return API.getObjectMapper().readTree(failure.getResponseBody());
  }

  /** Another program may write for the same Avatar: then what was signed does not follow its chain any more. */
  private static void againWhenStale(Step step) throws ApiException, IOException {
    for (int tries = TRIES; ; tries--) {
      try {
        step.run();
        return;
      } catch (ApiException failure) {
        if (!refusalOf(failure).path("code").asText().equals("stale_chain") || tries == 1) throw failure;
      }
    }
  }

  private static void bind(String key, Key avatar, Key wallet) throws ApiException {
    PayloadRequest link = new PayloadRequest().action(LinkAction.CREATE).platform("ethereum").identity(wallet.address()).publicKey(key);
    PayloadResponse payload = PROOFS.createPayload(link);
    String text = payload.getSignPayload();
    PROOFS.submitProof(
        new SubmitRequest()
            .action(link.getAction())
            .platform(link.getPlatform())
            .identity(link.getIdentity())
            .publicKey(key)
            .uuid(payload.getUuid())
            .createdAt(payload.getCreatedAt())
            .extra(new SubmitExtra().signature(avatar.sign(text)).walletSignature(wallet.sign(text))));
  }

  private static void write(String key, Key avatar, Map<String, Object> patch) throws ApiException {
    String platform = new PlatformsApi(API).listPlatforms().getServiceName();
    KvPayloadResponse payload = CONTENT.createKvPayload(new KvPayloadRequest().avatar(key).platform(platform).identity(key).patch(patch));
    CONTENT.submitKvPatch(
        new KvSubmitRequest()
            .avatar(key)
            .platform(platform)
            .identity(key)
            .patch(patch)
            .uuid(payload.getUuid())
            .createdAt(payload.getCreatedAt())
            .signature(avatar.sign(payload.getSignPayload())));
  }

  /** Counts the links that were recorded since the last call, each once. */
  private static int follow() throws ApiException, IOException {
    ProofChainApi chains = new ProofChainApi(API);
    long last = Files.exists(CURSOR) ? Long.parseLong(Files.readString(CURSOR)) : 0;
    for (int count = 0; ; ) {
      List<FeedLink> links = chains.listChanges(last, 100L).getLinks();
      if (links.isEmpty()) return count;
      count += links.size();
      last = links.get(links.size() - 1).getId();
      Files.writeString(CURSOR, Long.toString(last));
    }
  }

  private static void run() throws ApiException, IOException {
    Key avatar = Key.of("AVATAR_SECRET");
    Key wallet = Key.of("WALLET_SECRET");
    String key = setting("AVATAR", avatar.publicKey());

    againWhenStale(() -> bind(key, avatar, wallet));
    List<IdentityGroup> found = PROOFS.findProofs(List.of(wallet.address()), "ethereum", null, true).getIds();
    System.out.println(wallet.address() + " belongs to " + found.get(0).getAvatar());

    againWhenStale(() -> write(key, avatar, Map.of("language", "Java", "name", "Alice")));
    Map<String, Object> content = CONTENT.getKv(key).getProofs().get(0).getContent();
    System.out.println("content " + API.getObjectMapper().writeValueAsString(content));

    System.out.println("links " + follow() + ", then " + follow());
  }

  public static void main(String[] words) {
    try {
      try {
        run();
      } catch (ApiException failure) {
        JsonNode refusal = refusalOf(failure);
        fail("The server refused: " + refusal.path("message").asText() + " (" + refusal.path("code").asText() + ")");
      }
    } catch (IOException error) {
      fail(URL + " cannot be reached: " + error.getMessage());
    } catch (IllegalArgumentException error) {
      fail(error.getMessage());
    }
  }

  private static void fail(String sentence) {
    System.err.println(sentence);
    System.exit(1);
  }
}
