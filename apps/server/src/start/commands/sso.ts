// `npm run server -- sso seal`, `sso look` and `sso preview`: see docs/operations/single-sign-on.md.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import { findPerson } from '../../identity/sso/directory/directory.ts'
import { SsoFault } from '../../identity/sso/identity-provider.ts'
import { secretContext } from '../../identity/sso/oidc.ts'
import { previewSignOn } from '../../identity/sso/preview.ts'
import type { Services } from '../../model/context.ts'
import { openKeys } from '../../platform/keys/open-keys.ts'
import type { DirectoryProvider } from '../../platform/settings/settings-sso.ts'
import { type Command, exit, print, UsageError, withServices } from './command.ts'

export const ssoSealCommand: Command = {
  usage: '< FILE',
  help: "encrypt a client's secret, read from stdin, for the file of SSO_FILE",
  run: async () => {
    const secret = (await text(process.stdin)).trim()
    if (secret === '') throw new UsageError('There is no secret on stdin.')
    return await withServices(async (services) => {
      print((await openKeys(services)).seal(secretContext, secret))
      return exit.done
    })
  },
}

export const ssoLookCommand: Command = {
  usage: 'PROVIDER NAME',
  help: 'show what a directory tells of a person, as JSON for preview',
  positionals: 2,
  run: async ({ positionals: [id = '', name = ''] }) =>
    await withServices(async (services) => {
      const provider = services.settings.ssoProviders.find((one) => one.id === id)
      if (provider?.kind !== 'ldap') throw new UsageError(`SSO_FILE has no directory "${id}".`)
      const found = await lookUp(services, provider, name)
      if (found === undefined) return exit.findings
      print(JSON.stringify(found.claims, null, 2))
      return exit.done
    }),
}

/** @throws UsageError where the directory does not answer */
async function lookUp(services: Services, provider: DirectoryProvider, name: string) {
  const keys = await openKeys(services)
  try {
    return await findPerson({ ...services, keys }, provider, name)
  } catch (error) {
    if (error instanceof SsoFault)
      throw new UsageError(`The directory "${provider.id}" does not answer: ${error.message}.`)
    throw error
  }
}

const claimsOfPersons = v.array(v.record(v.string(), v.unknown()))

export const ssoPreviewCommand: Command = {
  usage: 'PROVIDER FILE',
  help: 'show whom the claims in a JSON file would sign in, and which roles that gives and takes',
  positionals: 2,
  run: async ({ positionals: [id = '', path = ''] }) => {
    const persons = readClaims(path)
    return await withServices(async (services) => {
      const provider = services.settings.ssoProviders.find((one) => one.id === id)
      if (provider === undefined) throw new UsageError(`SSO_FILE has no provider "${id}".`)
      let isComplete = true
      for (const claims of persons) {
        const { key, account, outcome, added, taken, missing } = await previewSignOn(
          services,
          provider,
          claims,
        )
        isComplete &&= (outcome === 'signedIn' || outcome === 'created') && missing.length === 0
        const changes = [
          ...added.map((code) => `+${code}`),
          ...taken.map((code) => `-${code}`),
          ...missing.map((code) => `?${code}`),
        ]
        print([key || '(no claim)', account ?? '-', outcome, ...changes].join('  '))
      }
      return isComplete ? exit.done : exit.findings
    })
  },
}

/** One person's claims, or a list of them. @throws UsageError */
function readClaims(path: string): readonly Readonly<Record<string, unknown>>[] {
  let read: unknown
  try {
    read = parseJson(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${error instanceof Error ? error.message : 'unknown'}.`,
    )
  }
  const parsed = v.safeParse(claimsOfPersons, Array.isArray(read) ? read : [read])
  if (!parsed.success) throw new UsageError(`${path} holds no claims.`)
  return parsed.output
}
