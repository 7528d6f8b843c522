// Cases of flows in the terminal, by commands, for the walk of a flow's paths.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WalkSchool } from '../flows/walk/school.ts'
import type { FlowSurface } from '../flows/walk/walk.ts'
import { password, type RunningServer } from '../support/server.ts'
import { commandAt, type Jiaowu, parseJsonLines } from './command.ts'

/** @param home a folder for the sessions of the accounts */
export async function buildTerminalSurface(
  server: RunningServer,
  home: string,
  { studentToken }: Pick<WalkSchool, 'studentToken'>,
): Promise<FlowSurface> {
  const commands = new Map<string, Jiaowu>()
  const signIn = async (account: string): Promise<Jiaowu> => {
    const jiaowu = commandAt(await mkdtemp(join(home, `${account}-`)), server)
    if (account === 'student')
      return (args, options) =>
        jiaowu(args, { ...options, env: { ...options?.env, JIAOWU_TOKEN: studentToken } })
    const signed = await jiaowu(['login', account, '--password-stdin'], { input: `${password}\n` })
    expect(signed).toMatchObject({ code: 0 })
    return jiaowu
  }
  const as = async (account: string): Promise<Jiaowu> => {
    const known = commands.get(account) ?? (await signIn(account))
    commands.set(account, known)
    return known
  }
  return {
    nameOffer: ({ name }) => name,
    look: async ({ account, tag, id }, state) => {
      const group = account === 'student' ? 'student' : 'flow'
      const { out, err } = await (await as(account))([group, 'show', tag, id, '--json'])
      const [answer] = parseJsonLines(out)
      if (answer === undefined) throw new Error(err)
      const can = answer['can'] as { event: string }[]
      return { offers: can.map(({ event }) => event), isAt: answer['state'] === state }
    },
    send: async ({ account, tag, id }, { name }, note) => {
      const command = account === 'student' ? ['student', 'send'] : ['flow', 'decide']
      const flags = note === undefined ? [] : ['--note', note]
      const sent = await (await as(account))([...command, tag, id, name, ...flags])
      expect([sent.err, sent.code]).toEqual([expect.any(String), 0])
    },
  }
}
