// Passkeys of the browser; a chunk of its own, loaded when one is used (docs/rules/security.md#s10).
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { ApiProblem } from '@jiaowu/api/problem'

type Message = Record<string, unknown>

/** @throws ApiProblem where the person leaves, or the browser has none */
export async function signWithPasskey(options: Message): Promise<Message> {
  return await orProblem(startAuthentication({ optionsJSON: options as never }))
}

/** @throws ApiProblem as above */
export async function makePasskey(options: Message): Promise<Message> {
  return await orProblem(startRegistration({ optionsJSON: options as never }))
}

async function orProblem<T extends object>(asked: Promise<T>): Promise<Message> {
  try {
    return { ...(await asked) } as Message
  } catch {
    // The browser tells no more, so that a site cannot learn which passkeys there are.
    throw new ApiProblem({
      kind: 'refused',
      code: 0,
      message: { key: 'signIn.passkeyGone' },
      issues: [],
      data: null,
      traceId: null,
    })
  }
}
