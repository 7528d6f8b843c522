/** Each of these stands for all addresses of the machine: a client cannot call it everywhere. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The server that `npm run dev` starts with the same environment: its settings HOST and PORT. */
export function serverAddress({ HOST = '127.0.0.1', PORT = '7300' }: NodeJS.ProcessEnv): string {
  const host = loopback[HOST] ?? HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}
