// Sends a form and reports progress. In browsers, fetch cannot: streams as bodies need HTTP/2 in Chromium, and do not exist in
// Firefox and Safari. XMLHttpRequest can. Elsewhere the form is a stream that counts the bytes that were read.

import type { Outgoing } from './connection.ts';
import { GalleryError } from './errors.ts';
import type { UploadProgress } from './media.ts';

type Report = (progress: UploadProgress) => void;

const partBytes = 65_536;

export const sendWithProgress =
  (report: Report) =>
  (url: URL, outgoing: Outgoing): Promise<Response> =>
    typeof XMLHttpRequest === 'function'
      ? sendByXmlHttpRequest(url, outgoing, report)
      : sendAsStream(url, outgoing, report);

function sendByXmlHttpRequest(
  url: URL,
  { method, headers, body, signal }: Outgoing,
  report: Report,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal?.addEventListener('abort', stop);
    request.open(method, url);
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded, total }) => report({ sentBytes: loaded, totalBytes: total });
    request.onload = () => {
      // XMLHttpRequest has followed a redirect, with another method.
      if (request.responseURL === url.href) resolve(toResponse(request));
      else
        reject(new GalleryError({ status: 301, detail: 'The gallery has another address: it redirects.' }));
    };
    request.onerror = () => reject(new TypeError('The upload has failed.'));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    request.send(body ?? null);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().matchAll(/^([^:\r\n]+): *(.*?)\r?$/gm);
  const headers = Array.from(lines, ([, name = '', value = '']): [string, string] => [name, value]);
  return new Response(request.responseText || null, { status: request.status, headers });
}

async function sendAsStream(
  url: URL,
  { method, headers, body, signal }: Outgoing,
  report: Report,
): Promise<Response> {
  const form = new Response(body);
  headers.set('Content-Type', form.headers.get('Content-Type') ?? '');
  const content = await form.blob();
  // TypeScript's library has no `duplex` yet. Node requires it.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    redirect: 'manual',
    duplex: 'half',
    body: createCountedStream(content, report),
    ...(signal && { signal }),
  };
  return fetch(url, init);
}

function createCountedStream(content: Blob, report: Report): ReadableStream<Uint8Array> {
  let sentBytes = 0;
  const queue = { highWaterMark: 0 };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    // The runtime asks for more when it has sent the part before.
    if (sentBytes > 0) report({ sentBytes, totalBytes: content.size });
    if (sentBytes >= content.size) return controller.close();
    const part = await content.slice(sentBytes, sentBytes + partBytes).arrayBuffer();
    sentBytes += part.byteLength;
    controller.enqueue(new Uint8Array(part));
  };
  return new ReadableStream<Uint8Array>({ pull }, queue);
}
