// DATABASE_URL with one server or several, in the form of libpq:
// postgres://user:password@host1:5432,host2:5432/name?target_session_attrs=read-write
// The pg driver takes one host only (brianc/node-postgres#1470), so the servers are tried in order here.

export interface DatabaseServer {
  /** `host:port`, for log lines. */
  readonly name: string
  readonly url: string
}

export interface DatabaseServers {
  readonly all: readonly DatabaseServer[]
  /** Whether a server that takes no writes, such as a standby, is passed over. */
  readonly mustWrite: boolean
  /** The server to connect to next. */
  current(): DatabaseServer
  /** Passes on to the next server, unless another caller has already left this one. */
  leave(server: DatabaseServer): void
}

const form = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^@/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/
const attribute = 'target_session_attrs'
const modes: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true }
const defaultPort = '5432'

/** Describes the fault of the address, as the end of a sentence; undefined when it can be used. */
export function addressProblem(url: string): string | undefined {
  const parts = form.exec(url)
  if (parts === null) return 'must be a postgres:// address'
  const [, scheme, user, hosts = '', path] = parts
  if (!hosts.split(',').every((host) => URL.canParse(`${scheme}${user}${host}${path}`)))
    return 'must be a postgres:// address; several servers are separated by commas'
  const mode = new URLSearchParams(parts[5]).get(attribute)
  return mode === null || Object.hasOwn(modes, mode)
    ? undefined
    : `may have target_session_attrs ${Object.keys(modes).join(', ')} only, because the server writes`
}

/** @throws Error when the address has a problem */
export function databaseServers(url: string): DatabaseServers {
  const problem = addressProblem(url)
  const parts = form.exec(url)
  if (problem !== undefined || parts === null) throw new Error(`DATABASE_URL ${problem}.`)
  const [, scheme = '', user = '', hosts = '', path = '', query] = parts
  const parameters = new URLSearchParams(query)
  const mode = parameters.get(attribute)
  parameters.delete(attribute)
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  const all = hosts.split(',').map((host) => ({
    name: formatServerName(host, parameters),
    url: `${scheme}${user}${host}${path}${rest}`,
  }))
  let place = 0
  const current = () => {
    const server = all[place % all.length]
    if (server === undefined) throw new Error('DATABASE_URL names no server.')
    return server
  }
  return {
    all,
    mustWrite: mode === null ? all.length > 1 : modes[mode] === true,
    current,
    leave: (server) => {
      if (server === current()) place += 1
    },
  }
}

function formatServerName(host: string, parameters: URLSearchParams): string {
  const socket = parameters.get('host')
  if (host === '') return socket ?? 'localhost'
  return /:\d+$/.test(host) ? host : `${host}:${parameters.get('port') ?? defaultPort}`
}
