// Starts the program `hcl lsp`, and shows what it answers to commands.

import * as vscode from "vscode";
import {
  ClientCapabilities,
  ExecuteCommandRequest,
  FeatureState,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  StaticFeature,
} from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** Says to the server that pages with explanations of codes are shown, whose text it gives. */
class Explanations implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const workspace: Record<string, unknown> = (capabilities.workspace ??= {}) as Record<string, unknown>;
    workspace.textDocumentContent = { dynamicRegistration: false };
  }
  initialize(): void {}
  getState(): FeatureState {
    return { kind: "static" };
  }
  clear(): void {}
}

/** Gives the text of a page by asking the server. */
const explanations: vscode.TextDocumentContentProvider = {
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await client?.sendRequest<{ text: string }>("workspace/textDocumentContent", { uri: uri.toString() });
    return answer?.text ?? "";
  },
};

function start(): Promise<void> {
  const command = vscode.workspace.getConfiguration("hcl").get<string>("path") ?? "hcl";
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "hcl" },
      { language: "terraform" },
      { language: "terraform-vars" },
      { pattern: "**/*.{tf,tofu,tfvars,pkr,hcl}.json" },
    ],
    initializationOptions: vscode.workspace.getConfiguration("hcl"),
    synchronize: { configurationSection: "hcl" },
  };
  client = new LanguageClient("hcl", "HCL", server, options);
  client.registerFeature(new Explanations());
  return client.start();
}

/** Asks the server, and shows the answer in a document of its own. */
async function show(command: string, language: string): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  try {
    const answer = await client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: uri ? [uri] : [] });
    const content = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: true });
  } catch (error) {
    void vscode.window.showErrorMessage(String(error));
  }
}

type Place = { uri: string; range: { start: vscode.Position; end: vscode.Position } };

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("hcl-explain", explanations),
    vscode.commands.registerCommand("hcl.showTree", () => show("hcl.tree", "plaintext")),
    vscode.commands.registerCommand("hcl.showLanguage", () => show("hcl.language", "json")),
    vscode.commands.registerCommand("hcl.showSchemas", () => show("hcl.schemas", "json")),
    vscode.commands.registerCommand("hcl.showStatus", () => show("hcl.status", "json")),
    vscode.commands.registerCommand("hcl.restart", async () => {
      await client?.stop();
      await start();
    }),
    // What a code lens leads to: positions and places come as the protocol has them.
    vscode.commands.registerCommand("hcl.showReferences", (uri: string, position: vscode.Position, places: Place[]) => {
      const at = (one: { line: number; character: number }) => new vscode.Position(one.line, one.character);
      const locations = places.map(
        (place) =>
          new vscode.Location(vscode.Uri.parse(place.uri), new vscode.Range(at(place.range.start), at(place.range.end))),
      );
      return vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri), at(position), locations);
    }),
  );
  try {
    await start();
  } catch (error) {
    const answer = await vscode.window.showErrorMessage(`hcl lsp does not start: ${String(error)}`, "Open Settings");
    if (answer) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "hcl.path");
    }
  }
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}
