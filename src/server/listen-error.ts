// Says in one sentence why a port cannot be opened.

import { errorCode, errorMessage, OperatorError } from '#common/errors.ts';

/** With which Bun refuses a host, by what it looks like and by the user. */
const foreignHostCodes = ['EADDRNOTAVAIL', 'EINVAL', 'ENOENT', 'ERR_INVALID_ARG_TYPE'];

export function toListenError(error: unknown, host: string, port: number, flags = ['--host', '--port']) {
  const [hostFlag, portFlag] = flags;
  const code = errorCode(error);
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE')
    return new OperatorError(
      `The port ${port} is taken: stop the other program or choose one with ${portFlag}.`,
    );
  if (code === 'EACCES')
    return new OperatorError(`This user may not listen on ${address}: choose a port above 1023.`);
  if (foreignHostCodes.includes(code ?? ''))
    return new OperatorError(`${host} is no address of this machine: choose one with ${hostFlag}.`);
  return new OperatorError(`Cannot listen on ${address}: ${code ?? errorMessage(error)}.`);
}
