import type { AdoptTablesContext } from '@jiaowu/machines/adopt-tables/machine'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readAdoptContext = ({ snapshot }: Worlds) => snapshot.context as AdoptTablesContext
const isIn = ({ snapshot }: Worlds, state: string) => snapshot.matches(state as never)
/** The definitions of a call, as its effect prints them. */
const sentIn = (effects: readonly string[]) =>
  effects.find((effect) => effect.startsWith('call adopt')) ?? null

const isDrafted = (node: Worlds, tag: string) =>
  readAdoptContext(node).drafts.some(({ definition }) => definition.tag === tag)
const isSent = (node: Worlds, tag: string) =>
  isDrafted(node, tag) && !readAdoptContext(node).left.includes(tag)

/** Promises of bringing tables in. */
export const adoptTablesRules: readonly Rule[] = [
  {
    name: 'saves what is chosen under the names given, and nothing that is not',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      if (sent === null) return true
      const { left, names } = readAdoptContext(from)
      const isOffered = (tag: string) => isDrafted(from, tag) && !left.includes(tag)
      return (
        sent.includes('"tag":"CITY"') === isOffered('CITY') &&
        sent.includes('"tag":"CUSTOMER"') === isOffered('CUSTOMER') &&
        sent.includes('"name":"城市"') === ('CITY' in names && !left.includes('CITY'))
      )
    },
  },
  {
    name: 'a relation to a table that stays out becomes a plain field of its column',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      const isOut = readAdoptContext(from).left.includes('CITY')
      return (
        sent === null ||
        !isDrafted(from, 'CITY') ||
        !isSent(from, 'CUSTOMER') ||
        (sent.includes('"dictValue":"CITY.name"') === !isOut &&
          sent.includes('"uiType":"inputNumber"') === isOut)
      )
    },
  },
  {
    name: 'the server keeps columns only where a person said so',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      return (
        sent === null ||
        !isSent(from, 'CUSTOMER') ||
        sent.includes('"kept":{"createTime":"createTime"}') === readAdoptContext(from).keeps
      )
    },
  },
  {
    name: 'rows belong to schools only where a person said so',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      const { owns } = readAdoptContext(from)
      return (
        sent === null ||
        !isSent(from, 'CUSTOMER') ||
        (sent.includes('"systemColumns":["tenant_id"]') === owns &&
          sent.includes('"columnName":"tenant_id"') === !owns)
      )
    },
  },
  {
    name: 'names make relations only where a person said so',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      return (
        sent === null ||
        !isSent(from, 'CUSTOMER') ||
        sent.includes('"dictValue":"DEPT.name"') === readAdoptContext(from).relates
      )
    },
  },
  {
    name: 'passwords are written only where a person said so',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const sent = sentIn(effects)
      return (
        sent === null ||
        !isSent(from, 'CUSTOMER') ||
        sent.includes('"attrName":"password"') === readAdoptContext(from).writesPasswords
      )
    },
  },
  {
    name: 'reads every table once, some at a time, beside all the others',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const asked = effects.find((effect) => effect.startsWith('call draft'))
      if (asked === undefined) return true
      const { tables, done } = readAdoptContext(to)
      return (
        isIn(to, 'drafting') &&
        asked.includes(`"tables":["${tables[done]}"]`) &&
        asked.includes(`"together":${JSON.stringify(tables)}`)
      )
    },
  },
  {
    name: 'what has been read is what is offered, without gaps and twins',
    kind: 'state',
    holds: ({ snapshot }) => {
      const { drafts, refused, done, tables } = readAdoptContext({ snapshot } as Worlds)
      const names = [...drafts, ...refused].map(({ name }) => `shop.${name}`)
      return names.sort().join() === tables.slice(0, done).toSorted().join()
    },
  },
  {
    name: 'a refused save keeps what was chosen and says why',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'adopt → wrong' ||
      (isIn(to, 'choosing') &&
        readAdoptContext(to).problem?.code === 42200 &&
        JSON.stringify([readAdoptContext(to).left, readAdoptContext(to).names]) ===
          JSON.stringify([readAdoptContext(from).left, readAdoptContext(from).names])),
  },
  {
    name: 'a change forgets why the last save was refused',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      !/^(table|kept|school|links|passwords)\./.test(step.label) ||
      !isIn(to, 'choosing') ||
      step.label.includes('unknown') ||
      readAdoptContext(to).drafts.length < 2 ||
      readAdoptContext(to).problem === null,
  },
  {
    name: 'saving is not offered without a table, and not left halfway',
    kind: 'state',
    holds: (node) =>
      !(
        node.snapshot.can({ type: 'adopt.save' } as never) &&
        readAdoptContext(node).drafts.every(({ definition }) =>
          readAdoptContext(node).left.includes(definition.tag),
        )
      ) && !(isIn(node, 'saving') && node.snapshot.can({ type: 'adopt.leave' } as never)),
  },
]
