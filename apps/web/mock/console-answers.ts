import { entityActions, entityPermission } from '@jiaowu/api/entity/permission'
import type { MenuNode, Tokens } from '@jiaowu/api/contract/session'
import type { Row } from '@jiaowu/api/entity/values'
import { type Answers, refuseWith } from '@jiaowu/mock'
import { builtIn } from '@jiaowu/server/definitions'
import {
  listChoices,
  createStore,
  computeFooter,
  groupRows,
  type MockEntity,
  select,
} from './store.ts'

const groups = [
  { prefix: 'EDU_', name: '教学管理', icon: 'learning' },
  { prefix: 'RPT_', name: '报表服务', icon: 'document' },
  { prefix: 'SYS_', name: '系统管理', icon: 'cog' },
] as const
const user = {
  id: '1',
  account: 'admin',
  name: '管理员',
  roles: ['ROLE_ADMIN'],
  mustChangePassword: false,
  tenant: '10000',
  org: null,
}
const tokens: Tokens = {
  access_token: 'mock-access',
  refresh_token: 'mock-refresh',
  expires_in: 1800,
  token_type: 'bearer',
  userInfo: user,
}
const noViews = {
  views: [],
  opens: 'shared',
  opening: null,
  layout: null,
  widths: {},
  mayShare: false,
  roles: [],
}

const school = {
  schoolName: '示范大学',
  schoolSite: '',
  registrarSite: '',
  contactAddress: '',
  feeNotice: '',
  payDriver: 'sandbox',
} as const

/** A console in memory: sign in with any password, then list, add, edit and delete in every shipped entity. */
export function consoleAnswers(): Answers {
  const store = createStore(builtIn)
  let lastId = 1000
  const nextId = () => String((lastId += 1))
  return {
    session: sessionAnswers(store, nextId),
    entityData: entityAnswers(store, nextId),
    view: {
      list: () => noViews,
      open: ({ body }) => ({ ...noViews, opens: body.opens }),
      keepLayout: ({ body }) => ({ columns: body.columns }),
      keepWidths: () => ({ widths: {} }),
    },
    student: {
      school: () => school,
      notices: ({ body }) => ({ records: [], total: 0, size: body.pageSize, current: 1 }),
    },
    messages: { mine: () => ({ unread: 0, records: [] }), read: () => ({ unread: 0 }) },
    dictionary: {
      codes: ({ query }) => Object.fromEntries(query.codes.split(',').map((code) => [code, []])),
      enums: ({ query }) => Object.fromEntries(query.codes.split(',').map((code) => [code, []])),
    },
  }
}

function sessionAnswers(
  store: ReadonlyMap<string, MockEntity>,
  nextId: () => string,
): NonNullable<Answers['session']> {
  return {
    signIn: () => tokens,
    signOut: () => null,
    whoami: (_input, { token }) => (token === '' ? refuseWith({ status: 401 }) : user),
    menu: () => groups.map((group, index) => branch(store, group, index)),
    resources: () =>
      [...store.keys()].flatMap((tag) =>
        entityActions.map((action) => ({ code: entityPermission(tag, action) })),
      ),
    generateId: nextId,
  }
}

function branch(
  store: ReadonlyMap<string, MockEntity>,
  { prefix, name, icon }: (typeof groups)[number],
  index: number,
): MenuNode {
  const leaves = [...store.values()].filter(({ definition }) => definition.tag.startsWith(prefix))
  return {
    ...buildMenuNode(`g${index}`, name, '', icon),
    children: leaves.map(({ definition: { tag, name: label } }) => ({
      ...buildMenuNode(tag, label, `/entity/${tag}/search`, null),
      tag,
    })),
  }
}

function buildMenuNode(id: string, name: string, path: string, icon: string | null): MenuNode {
  return {
    id,
    name,
    path,
    icon,
    tag: null,
    hidden: false,
    meta: { title: name, roles: [] },
    children: [],
  }
}

function entityAnswers(
  store: ReadonlyMap<string, MockEntity>,
  nextId: () => string,
): NonNullable<Answers['entityData']> {
  const entity = (tag: string): MockEntity => store.get(tag) ?? refuseWith({ status: 404 })
  const stored = (tag: string, id: string): Row =>
    entity(tag).rows.get(id) ?? refuseWith({ status: 404 })
  const put = (tag: string, row: Row): Row => {
    entity(tag).rows.set(row.id, row)
    return row
  }
  return {
    config: ({ params }) => entity(params.tag).config,
    page: ({ params, body }) => {
      const found = select(entity(params.tag), body)
      const size = body.pageSize < 0 ? found.length : body.pageSize
      const current = Math.max(1, body.pageNum)
      const records = found.slice((current - 1) * size, current * size)
      return {
        records,
        total: body.withTotal === false ? null : found.length,
        size,
        current,
        ...(body.group !== undefined && { groups: groupRows(found, body.group) }),
        ...(body.footer !== undefined && { footer: computeFooter(found, body.footer) }),
      }
    },
    get: ({ params }) => stored(params.tag, params.id),
    create: ({ params, body }) =>
      put(params.tag, { ...(body as object), id: String(body.id ?? nextId()), version: 1 }),
    update: ({ params, body }) => {
      const before = stored(params.tag, params.id)
      if (String(body.version) !== String(before.version))
        return refuseWith({ status: 409, code: 40_900, msg: '记录已被修改', data: before })
      return put(params.tag, {
        ...before,
        ...(body as object),
        id: before.id,
        version: Number(before.version) + 1,
      })
    },
    remove: ({ params }) => {
      const ids = params.ids.split(',')
      for (const id of ids) stored(params.tag, id)
      for (const id of ids) entity(params.tag).rows.delete(id)
      return { deleted: ids.length }
    },
    lookup: ({ params, body }) => {
      const records = listChoices(entity(params.tag), body.fieldId).filter(({ name }) =>
        name.includes(body.searchKey ?? ''),
      )
      return { records: [...records], total: records.length }
    },
  }
}
