interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
}

/** The sentence that the server prints when it cannot start. */
export function startSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port, address, hostname } = error as ListenError
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop the other program or set PORT.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${address ?? hostname} is no address of this machine.`
  if (code === 'EACCES' && port !== undefined) return `PORT ${port} may not be opened by this user.`
  return error.message
}
