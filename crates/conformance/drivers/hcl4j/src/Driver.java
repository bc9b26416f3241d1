import com.bertramlabs.plugins.hcl4j.HCLParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/**
 * Answers the conformance protocol with hcl4j: the values of the attributes of a file in native syntax.
 *
 * hcl4j evaluates whatever it reads, to values of Java that know no types of collections. Its variables are those of
 * Terraform, such as `var.name`, so sources with others are not asked.
 */
public class Driver {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    static final ObjectMapper JSON = new ObjectMapper();

    static ObjectNode answer(JsonNode request) {
        ObjectNode answer = NODES.objectNode();
        String operation = request.path("op").asText();
        if (operation.equals("about")) {
            answer.put("name", "hcl4j").put("version", "0.9.8").put("protocol", 1).put("reads", "files");
            answer.putArray("operations").add("about").add("config").add("attributes");
            answer.putArray("dialects").add("engine");
            answer.putArray("lacks").add("types").add("unknowns").add("parsing");
            return answer;
        }
        if (!operation.equals("config") && !operation.equals("attributes")) {
            return answer.put("unsupported", operation);
        }
        if (!request.has("src")) {
            return answer.put("unsupported", "src_base64");
        }
        for (String context : new String[] {"vars", "scopes", "functions"}) {
            if (!request.path(context).isEmpty()) {
                return answer.put("unsupported", context);
            }
        }
        try {
            Map<String, Object> found = new HCLParser().parse(request.get("src").textValue());
            if (operation.equals("attributes")) {
                ObjectNode values = answer.putObject("values");
                found.forEach((name, value) -> values.set(name, encoded(value)));
            }
            answer.put("ok", true).put("parsed", true).putArray("diags");
        } catch (Exception | StackOverflowError error) {
            answer.removeAll();
            answer.put("ok", false).putArray("diags").addObject().put("severity", "error").put("summary", String.valueOf(error));
        }
        return answer;
    }

    static JsonNode encoded(Object value) {
        if (value == null) {
            return NODES.objectNode().put("null", "dynamic");
        }
        if (value instanceof Boolean bool) {
            return NODES.booleanNode(bool);
        }
        if (value instanceof Number number) {
            return NODES.objectNode().put("number", new BigDecimal(number.toString()).toPlainString());
        }
        if (value instanceof Collection<?> list) {
            ObjectNode node = NODES.objectNode();
            ArrayNode parts = node.putArray("tuple");
            list.forEach(part -> parts.add(encoded(part)));
            return node;
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode node = NODES.objectNode();
            ObjectNode parts = node.putObject("object");
            map.forEach((name, part) -> parts.set(String.valueOf(name), encoded(part)));
            return node;
        }
        return NODES.textNode(value.toString());
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // What the library prints is no answer.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            JsonNode request = JSON.readTree(line);
            ObjectNode answer = answer(request);
            if (request.has("id")) {
                answer.set("id", request.get("id"));
            }
            out.println(JSON.writeValueAsString(answer));
        }
    }
}
