// The part of the extension that is the same on the desktop and in the browser: the client, and what it shows of the answers
// to commands.

import * as vscode from "vscode";
import {
  BaseLanguageClient,
  ClientCapabilities,
  ExecuteCommandRequest,
  FeatureState,
  LanguageClientOptions,
  StaticFeature,
} from "vscode-languageclient";

let client: BaseLanguageClient | undefined;

/** A client for a server that is not started yet, and the schemes of the documents that it answers for. */
export interface Server {
  schemes: string[];
  /** Returns a client. */
  create(options: LanguageClientOptions): BaseLanguageClient;
  /** Is called with a client that has started. */
  started?(client: BaseLanguageClient): Promise<vscode.Disposable | undefined>;
}

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

function languageIds(): string[] {
  return vscode.workspace.getConfiguration("hcl").get<string[]>("languageIds") ?? ["hcl"];
}

let beside: vscode.Disposable | undefined;

async function start(server: Server): Promise<void> {
  const files = server.schemes.filter((scheme) => scheme !== "untitled");
  client = server.create({
    documentSelector: [
      ...languageIds().flatMap((language) => server.schemes.map((scheme) => ({ language, scheme }))),
      ...files.map((scheme) => ({ scheme, pattern: "**/*.{tf,tofu,tfvars,pkr,hcl}.json" })),
    ],
    initializationOptions: vscode.workspace.getConfiguration("hcl"),
    synchronize: { configurationSection: "hcl" },
  });
  client.registerFeature(new Explanations());
  await client.start();
  beside = await server.started?.(client);
}

async function stop(): Promise<void> {
  beside?.dispose();
  await client?.stop();
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

/** The extension of HashiCorp for Terraform, and the identifiers of its files. */
const TERRAFORM = "hashicorp.terraform";
const ASKED = "asked about hashicorp.terraform";

/** Asks once who answers for Terraform, if the extension of HashiCorp is active as well. */
async function askAboutTerraform(context: vscode.ExtensionContext): Promise<void> {
  const ids = languageIds();
  const shared = ids.filter((id) => id.startsWith("terraform"));
  if (!vscode.extensions.getExtension(TERRAFORM) || shared.length === 0 || context.globalState.get(ASKED)) {
    return;
  }
  await context.globalState.update(ASKED, true);
  const [leave, both] = ["Leave Terraform to It", "Use Both"];
  const text = "The extension HashiCorp Terraform answers for the same files, so answers come twice.";
  if ((await vscode.window.showInformationMessage(text, leave, both)) === leave) {
    const rest = ids.filter((id) => !shared.includes(id));
    await vscode.workspace.getConfiguration("hcl").update("languageIds", rest, vscode.ConfigurationTarget.Global);
  }
}

type Place = { uri: string; range: { start: vscode.Position; end: vscode.Position } };

/** Activates the extension with a server. */
export async function activateWith(context: vscode.ExtensionContext, server: Server): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("hcl-explain", explanations),
    vscode.commands.registerCommand("hcl.showTree", () => show("hcl.tree", "plaintext")),
    vscode.commands.registerCommand("hcl.showLanguage", () => show("hcl.language", "json")),
    vscode.commands.registerCommand("hcl.showSchemas", () => show("hcl.schemas", "json")),
    vscode.commands.registerCommand("hcl.showStatus", () => show("hcl.status", "json")),
    vscode.commands.registerCommand("hcl.restart", async () => {
      await stop();
      await start(server);
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("hcl.languageIds") || change.affectsConfiguration("hcl.path")) {
        await stop();
        await start(server);
      }
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
    await start(server);
    void askAboutTerraform(context);
  } catch (error) {
    const answer = await vscode.window.showErrorMessage(`The HCL server does not start: ${String(error)}`, "Open Settings");
    if (answer) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "hcl.path");
    }
  }
}

export function deactivate(): Thenable<void> {
  return stop();
}
