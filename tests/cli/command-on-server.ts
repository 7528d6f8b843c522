import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { password, type RunningServer, startRealServer } from '../support/server.ts'
import { commandAt, type Jiaowu } from './command.ts'

/** A server, a home folder for the session file, and the command that uses both. */
export interface CommandOnServer {
  readonly server: RunningServer
  readonly home: string
  readonly jiaowu: Jiaowu
  readonly stop: () => Promise<void>
}

/** Starts a server and returns the command for it, without a session. */
export async function startCommand(env: Record<string, string> = {}): Promise<CommandOnServer> {
  const server = await startRealServer(env)
  const home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
  return {
    server,
    home,
    jiaowu: commandAt(home, server),
    stop: async () => {
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Starts a server and returns the command for it, signed in as admin. */
export async function startSignedIn(): Promise<CommandOnServer> {
  const command = await startCommand()
  expect(
    await command.jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` }),
  ).toMatchObject({ code: 0 })
  return command
}
