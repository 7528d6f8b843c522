import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'

const savedSession = v.object({
  token: v.string(), refreshToken: v.nullable(v.string()),
  /** Milliseconds since 1970. */
  expiresAt: v.number(),
  account: v.string(), accountId: v.string(), name: v.string(), tenant: v.string(),
})
/** What the terminal keeps of a sign-in, per server. */
export type SavedSession = v.InferOutput<typeof savedSession>

const file = v.object({ version: v.literal(1), server: v.nullable(v.string()), sessions: v.record(v.string(), savedSession) })
type File = v.InferOutput<typeof file>
const blank: File = { version: 1, server: null, sessions: {} }

const folder = (env: NodeJS.ProcessEnv) => join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'jiaowu')

/** The token file: `$XDG_CONFIG_HOME/jiaowu/session.json`, readable by its owner only (security T1). */
export const sessionFile = (env: NodeJS.ProcessEnv) => {
  const path = join(folder(env), 'session.json')
  const read = (): File => {
    try {
      const parsed = v.safeParse(file, JSON.parse(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : blank
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return blank
      throw error
    }
  }
  const write = (content: File) => {
    mkdirSync(folder(env), { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(content), { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, path)
  }
  return {
    path,
    /** The server of the last sign-in. */
    server: (): string | null => read().server,
    get: (server: string): SavedSession | null => read().sessions[server] ?? null,
    save: (server: string, session: SavedSession): void => { const all = read(); write({ ...all, server, sessions: { ...all.sessions, [server]: session } }) },
    forget: (server: string): void => {
      const { [server]: _gone, ...sessions } = read().sessions
      if (Object.keys(sessions).length === 0) rmSync(path, { force: true })
      else write({ version: 1, server: Object.keys(sessions)[0] ?? null, sessions })
    },
  }
}
export type SessionFile = ReturnType<typeof sessionFile>
