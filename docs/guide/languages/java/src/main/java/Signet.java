import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
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

/**
 * Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
 *
 * <pre>mvn -q compile exec:java -Dexec.mainClass=Signet</pre>
 *
 * AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
 * default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
 */
public final class Signet {
  private static final int TRIES = 3;
  private static final String URL = setting("SIGNET", "http://localhost:3000");
  private static final Path CURSOR = Path.of(setting("CURSOR", "cursor"));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** What the server answered: {@code code} is for programs, the message for people. */
  static final class Refused extends Exception {
    final String code;

    Refused(JsonObject answer) {
      super(answer.get("message").getAsString() + " (" + answer.get("code").getAsString() + ")");
      code = answer.get("code").getAsString();
    }
  }

  interface Step {
    void run() throws Exception;
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

  /** Posts {@code body}, or reads where it is null. */
  private static JsonObject call(String path, JsonObject body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path)).timeout(Duration.ofMinutes(1));
    if (body != null) request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    JsonObject answer = JsonParser.parseString(response.body()).getAsJsonObject();
    if (response.statusCode() >= 400) throw new Refused(answer);
    return answer;
  }

  private static JsonObject object(String... members) {
    JsonObject result = new JsonObject();
    for (int index = 0; index < members.length; index += 2) result.addProperty(members[index], members[index + 1]);
    return result;
  }

  /** Another program may write for the same Avatar: then what was signed does not follow its chain any more. */
  private static void againWhenStale(Step step) throws Exception {
    for (int tries = TRIES; ; tries--) {
      try {
        step.run();
        return;
      } catch (Refused refusal) {
        if (!refusal.code.equals("stale_chain") || tries == 1) throw refusal;
      }
    }
  }

  private static void bind(String key, Key avatar, Key wallet) throws Exception {
    JsonObject link = object("action", "create", "platform", "ethereum", "identity", wallet.address(), "public_key", key);
    JsonObject payload = call("/v1/proof/payload", link);
    String text = payload.get("sign_payload").getAsString();
    link.add("uuid", payload.get("uuid"));
    link.add("created_at", payload.get("created_at"));
    link.add("extra", object("signature", avatar.sign(text), "wallet_signature", wallet.sign(text)));
    call("/v1/proof", link);
  }

  private static void write(String key, Key avatar, JsonObject patch) throws Exception {
    String platform = call("/v1/platforms", null).get("service_name").getAsString();
    JsonObject entry = object("avatar", key, "platform", platform, "identity", key);
    entry.add("patch", patch);
    JsonObject payload = call("/v1/kv/payload", entry);
    entry.add("uuid", payload.get("uuid"));
    entry.add("created_at", payload.get("created_at"));
    entry.addProperty("signature", avatar.sign(payload.get("sign_payload").getAsString()));
    call("/v1/kv", entry);
  }

  /** Counts the links that were recorded since the last call, each once. */
  private static int follow() throws Exception {
    long last = Files.exists(CURSOR) ? Long.parseLong(Files.readString(CURSOR)) : 0;
    for (int count = 0; ; ) {
      JsonArray links = call("/v1/proofchain/changes?last_id=" + last + "&count=100", null).getAsJsonArray("links");
      if (links.isEmpty()) return count;
      count += links.size();
      last = links.get(links.size() - 1).getAsJsonObject().get("id").getAsLong();
      Files.writeString(CURSOR, Long.toString(last));
    }
  }

  private static void run() throws Exception {
    Key avatar = Key.of("AVATAR_SECRET");
    Key wallet = Key.of("WALLET_SECRET");
    String key = setting("AVATAR", avatar.publicKey());

    againWhenStale(() -> bind(key, avatar, wallet));
    JsonObject found = call("/v1/proof?platform=ethereum&exact=true&identity=" + wallet.address(), null);
    String owner = found.getAsJsonArray("ids").get(0).getAsJsonObject().get("avatar").getAsString();
    System.out.println(wallet.address() + " belongs to " + owner);

    againWhenStale(() -> write(key, avatar, object("language", "Java", "name", "Alice")));
    JsonObject stored = call("/v1/kv?avatar=" + key, null);
    System.out.println("content " + stored.getAsJsonArray("proofs").get(0).getAsJsonObject().get("content"));

    System.out.println("links " + follow() + ", then " + follow());
  }

  public static void main(String[] words) throws Exception {
    try {
      run();
    } catch (Refused refusal) {
      fail("The server refused: " + refusal.getMessage());
    } catch (IOException error) {
      fail(URL + " cannot be reached: " + error);
    } catch (IllegalArgumentException error) {
      fail(error.getMessage());
    }
  }

  private static void fail(String sentence) {
    System.err.println(sentence);
    System.exit(1);
  }
}
