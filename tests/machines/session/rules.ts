import type { SessionContext } from '@jiaowu/machines/session/context'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readSessionContext = ({ snapshot }: Worlds) => snapshot.context as SessionContext
const has = ({ snapshot }: Worlds, tag: string) => snapshot.hasTag(tag)

/** Promises of a session (docs/spec/1-entity-console.md §4, §8). */
export const sessionRules: readonly Rule[] = [
  {
    name: 'nobody is inside without a token',
    kind: 'state',
    holds: (node) => !isIn(node, 'present') || readSessionContext(node).facts !== null,
  },
  {
    name: 'who is inside is known, and only then',
    kind: 'state',
    holds: (node) =>
      !isIn(node, 'present') || has(node, 'active') === (readSessionContext(node).profile !== null),
  },
  {
    name: 'signed out means that nothing is kept',
    kind: 'state',
    holds: (node) =>
      !isIn(node, 'signedOut', 'signingIn') ||
      (readSessionContext(node).facts === null && readSessionContext(node).profile === null),
  },
  {
    name: 'a password is kept only while it is sent',
    kind: 'state',
    holds: (node) =>
      readSessionContext(node).attempt === null ||
      isIn(node, 'signingIn', { expired: 'signingIn' }),
  },
  {
    name: 'an ended session keeps the person and the reason, so that the page stays',
    kind: 'state',
    holds: (node) =>
      !has(node, 'expired') ||
      (readSessionContext(node).ended !== null && readSessionContext(node).profile !== null),
  },
  {
    name: 'a user inside sees no reminder of an earlier end',
    kind: 'state',
    holds: (node) => !has(node, 'active') || readSessionContext(node).ended === null,
  },
  {
    name: 'signing out forgets everything, whatever the call answers',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(isIn(from, 'signingOut') && step.kind === 'settle') ||
      (isIn(to, 'signedOut') && effects.some((effect) => effect.includes('"facts":null'))),
  },
  {
    name: 'a user signed out from inside sees the reason, and the stored facts are removed',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      !(isIn(to, 'signedOut') && isIn(from, 'present', 'expired', 'signingOut')) ||
      effects.some((effect) => effect.includes('"facts":null')),
  },
  {
    name: 'a refresh that the network swallowed leaves the old token',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'refresh → offline' ||
      (readSessionContext(from).facts?.token === readSessionContext(to).facts?.token &&
        isIn(to, 'present')),
  },
  {
    name: 'one call to refresh at a time',
    kind: 'edge',
    holds: ({ effects }, from) =>
      !has(from, 'refreshing') || !effects.some((effect) => effect.startsWith('call refresh')),
  },
  {
    name: 'new tokens are kept by the surface',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !(
        step.kind === 'settle' &&
        (step.source === 'refresh' || step.source === 'signIn') &&
        step.outcome.ok
      ) || effects.some((effect) => effect.includes('"token":"new"')),
  },
  {
    name: 'a page is never handed to somebody else without a word',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      !(
        readSessionContext(from).profile !== null &&
        has(to, 'active') &&
        readSessionContext(to).profile?.user.id !== readSessionContext(from).profile?.user.id
      ) || effects.some((effect) => effect.includes('personChanged')),
  },
  {
    name: 'a call that fails never takes the page away',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(has(from, 'active') && step.kind === 'settle' && !step.outcome.ok) ||
      has(to, 'active') ||
      has(to, 'expired'),
  },
  {
    name: 'a sign-out elsewhere takes no input that is not stored',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'storage.changed(unsaved)' ||
      readSessionContext(from).profile === null ||
      has(to, 'expired'),
  },
  {
    name: 'from everywhere one can be signed out',
    kind: 'reach',
    to: (node) => isIn(node, 'signedOut'),
  },
  { name: 'from everywhere one can come in', kind: 'reach', to: (node) => has(node, 'active') },
]

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}
