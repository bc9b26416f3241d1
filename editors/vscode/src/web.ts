// The extension in the browser: the server is WebAssembly in a worker. It reads no files by itself, so it is sent those of the
// workspace.

import * as vscode from "vscode";
import { BaseLanguageClient, LanguageClient, LanguageClientOptions } from "vscode-languageclient/browser";
import { activateWith } from "./common";

export { deactivate } from "./common";

/** The files of a workspace that the server needs. */
const FILES = "**/{*.{tf,tofu,tfvars,hcl,nomad,tftest,tfmock},*.{tf,tofu,tfvars,pkr,hcl}.json,.hcl-schema}";
const EXCLUDED = "**/{.terraform,.git,.terragrunt-cache,node_modules}/**";
const MAX_FILES = 2_000;

/** The server knows files by paths: a folder of the workspace is `/NUMBER-NAME` there, whatever its scheme is. */
function toServer(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return uri.toString();
  const inside = uri.path.slice(folder.uri.path.length);
  return vscode.Uri.from({ scheme: "file", path: `/${folder.index}-${folder.name}${inside}` }).toString();
}

function fromServer(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  const [, index, inside] = /^\/([0-9]+)-[^/]*(.*)$/.exec(uri.path) ?? [];
  const folder = uri.scheme === "file" ? vscode.workspace.workspaceFolders?.[Number(index)] : undefined;
  return folder ? folder.uri.with({ path: folder.uri.path + inside }) : uri;
}

/** Sends files to the server; those that cannot be read are removed there. */
async function send(client: BaseLanguageClient, uris: readonly vscode.Uri[]): Promise<void> {
  const decoder = new TextDecoder();
  const read = async (uri: vscode.Uri) => {
    const text = await vscode.workspace.fs.readFile(uri).then((bytes) => decoder.decode(bytes), () => null);
    return { uri: toServer(uri), text };
  };
  await client.sendNotification("hcl/didChangeFiles", { files: await Promise.all(uris.map(read)) });
}

/** Sends the files of the workspace, and keeps sending those that change. */
async function sendFiles(client: BaseLanguageClient): Promise<vscode.Disposable> {
  await send(client, await vscode.workspace.findFiles(FILES, EXCLUDED, MAX_FILES));
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  const changed = (uri: vscode.Uri) => void send(client, [uri]);
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const inside = (name: string) => vscode.Uri.joinPath(context.extensionUri, "out", name);
  const engine = await vscode.workspace.fs.readFile(inside("hcl.wasm"));
  const create = (options: LanguageClientOptions) => {
    const worker = new Worker(inside("worker.js").toString(true));
    worker.postMessage({ engine });
    const uriConverters = { code2Protocol: toServer, protocol2Code: fromServer };
    return new LanguageClient("hcl", "HCL", { ...options, uriConverters }, worker);
  };
  const schemes = new Set(["file", "untitled", "vscode-vfs", "vscode-test-web"]);
  vscode.workspace.workspaceFolders?.forEach((folder) => schemes.add(folder.uri.scheme));
  await activateWith(context, { schemes: [...schemes], create, started: sendFiles });
}
