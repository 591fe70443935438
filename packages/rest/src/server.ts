// The server of an API: the whole of one, and its parts for applications that put them together themselves.

export { createLog, type Log } from '../../common/src/log.ts';
export { ownMemory, type SharedMemory } from '../../common/src/shared-memory.ts';
export { type Api, type ApiOptions, createApi } from './api.ts';
export { readCookie } from './authentication.ts';
export type { Authenticator } from './authenticator.ts';
export { WritingOrigins } from './cors.ts';
export { Csrf } from './csrf.ts';
export { DownloadLimiter } from './download-limiter.ts';
export { prepareJsonError } from './error-responses.ts';
export { type Connections, Hosts } from './hosts.ts';
export { createKeyAuthenticator } from './key-authenticator.ts';
export { EventStream, OpenResponses } from './open-responses.ts';
export { type PreparedResponse, prepareResponse, withEtag, withHeaders } from './prepared-response.ts';
export type { RequestContext } from './request-context.ts';
export { type Generations, ResponseCache } from './response-cache.ts';
export { RequestServer, respondWithError, serveRequest, View } from './serve.ts';
export { SharedCaching } from './shared-caching.ts';
export type { Site, SiteFiles, SiteIdentity } from './site.ts';
export { Throttle } from './throttling.ts';
export { UploadLimiter } from './upload-limiter.ts';
