// The table of rights: one row for each call of the contract. A new call without its row does not
// compile. `right` says who may make the call at all; each aim says what is sent, and what those who
// may make it get, because of the rows and fields they reach (docs/rules/security.md#permissions).
import {
  bare,
  code,
  list,
  may,
  ofOrder,
  ownEntity,
  reached,
  student,
  type Aim,
  type RouteRow,
  unreached,
} from '../aims.ts'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { dictionaryRights } from './dictionary-rights.ts'
import { entityRights } from './entity-rights.ts'
import { flowRights } from './flow-rights.ts'
import { moneyRights } from './money-rights.ts'
import { searchRights } from './search-rights.ts'
import { tableRights } from './table-rights.ts'
import type { ScopeCheck } from '@jiaowu/api/contract/administration/role'
import { codesOf, ownGender, type RouteName } from '../world.ts'
import type { Subject } from '../world-types.ts'

/** Checks that only readers who may view students, or may do everything, see names of them. */
function namesOnlyTheirs(isNamed: boolean, who: Subject): string | null {
  const codes = codesOf[who] ?? []
  const mayView = codes.includes('*') || codes.includes('entity:EDU_STUDENT:view')
  return isNamed === mayView ? null : 'it names what they may not see, or leaves out what they may'
}

/** A field whose labels are names of students. */
const reaching = {
  id: '-1',
  attrName: 'reach',
  uiLabel: '触及',
  uiType: 'select',
  dictType: 1,
  dictValue: 'EDU_STUDENT.name',
}

/** Checks a row rule on students; the answer tells a fault, or how many rows it leaves. */
function scopeAim(expression: string, isRight: (found: ScopeCheck, who: Subject) => boolean): Aim {
  return {
    ok: 200,
    send: async (world) => {
      await world.student('hidden')
      return { body: { tag: student, expression } }
    },
    answers: ({ data, text }, who) =>
      isRight(data as ScopeCheck, who) ? null : `it tells too much, or too little: ${text}`,
  }
}

export const rights: Readonly<Record<RouteName, RouteRow>> = {
  ...entityRights,
  ...flowRights,
  ...searchRights,
  // Everyone
  'session.signIn': bare('anyone', 422),
  'session.captcha': bare('anyone', 422),
  'session.queue': bare('anyone', 422),
  'student.captcha': bare('anyone', 200),
  'student.verify': bare('anyone', 422),
  'student.smsCode': bare('anyone', 422),
  'student.register': bare('anyone', 422),
  'student.signIn': bare('anyone', 422),
  'student.school': bare('anyone', 200),
  // With a session the same path is the list of notices for staff.
  'student.notices': {
    right: 'anyone',
    aims: {
      '': { ok: { all: 403, nobody: 200, full: 200, foreign: 200 }, send: () => ({ body: list }) },
    },
  },
  'verify.check': {
    right: 'anyone',
    aims: {
      'an unknown code': { ok: 200, send: () => ({ params: { code: 'AAAA-AAAA-AAAA-AAAA' } }) },
    },
  },
  'attachment.image': {
    right: 'anyone',
    aims: {
      'no ticket': { ok: 422 },
      'a session token as ticket': {
        ok: 401,
        send: (world) => ({
          params: { bizType: student, bizId: '1' },
          query: { token: world.admin.token },
        }),
      },
    },
  },

  // Every session
  'session.signOut': { right: 'signed', aims: {} },
  'session.changePassword': bare('staff', 422),
  'session.whoami': bare('signed', 200),
  'session.menu': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        answers: ({ text }, who) => namesOnlyTheirs(text.includes('EDU_STUDENT'), who),
      },
    },
  },
  'session.resources': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        answers: ({ text }, who) => namesOnlyTheirs(text.includes('entity:EDU_STUDENT:'), who),
      },
    },
  },
  'session.generateId': bare('signed', 200),
  'dictionary.codes': bare('signed', 422),
  'dictionary.enums': bare('signed', 422),
  'messages.mine': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        answers: ({ text }, who) =>
          text.includes('管理员的消息') === (who === 'full') ? null : 'it holds the wrong messages',
      },
    },
  },
  'messages.choices': { right: 'signed', aims: { '': { ok: 200 } } },
  'messages.choose': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        send: () => ({ body: { choices: [{ kind: 'flow', channel: 'mail', isOn: true }] } }),
      },
    },
  },
  'messages.read': {
    right: 'signed',
    aims: {
      "the administrator's": {
        ok: { all: 404, full: 200 },
        send: ({ things }) => ({ params: { id: things.message } }),
      },
    },
  },

  'reauthentication.prove': bare('staff', 422),
  'factor.verify': bare('anyone', 422),
  'factor.challenge': bare('anyone', 422),
  'factor.list': {
    right: 'staff',
    aims: {
      '': {
        ok: 200,
        answers: ({ text }) => (/secret|public|hash/i.test(text) ? 'it holds secrets' : null),
      },
    },
  },
  'factor.enrolTotp': {
    right: 'staff',
    aims: { 'a code of no secret': { ok: 400, send: () => ({ body: { code: '000000' } }) } },
  },
  'factor.enrolPasskey': {
    right: 'staff',
    aims: { 'an empty answer': { ok: 400, send: () => ({ body: { name: 'A', response: {} } }) } },
  },
  'factor.renewRecovery': { right: 'staff', aims: { 'without a factor': { ok: 409 } } },
  'factor.remove': {
    right: 'staff',
    aims: { 'an unknown passkey': { ok: 404, send: () => ({ params: { id: '1' } }) } },
  },
  'sso.providers': bare('anyone', 200),
  'sso.start': bare('anyone', 404),
  'sso.callback': bare('anyone', 404),
  'sso.enter': bare('anyone', 422),
  'sso.prove': { right: 'staff', aims: { 'an unknown provider': { ok: 404 } } },
  'sso.proven': bare('staff', 422),
  'sso.backchannel': bare('anyone', 422),
  'sso.logout': { right: 'signed', aims: { 'an unknown provider': { ok: 404 } } },
  'device.start': bare('anyone', 200),
  'device.poll': bare('anyone', 422),
  'device.startProof': bare('staff', 200),
  'device.pollProof': bare('staff', 422),
  'device.look': {
    right: 'staff',
    aims: {
      'an unknown code': { ok: 404, send: () => ({ body: { userCode: 'BBBB-BBBB' } }) },
    },
  },
  'device.decide': {
    right: 'staff',
    aims: {
      'an unknown code': {
        ok: 404,
        send: () => ({ body: { userCode: 'BBBB-BBBB', agree: true } }),
      },
    },
  },
  'ownSessions.list': {
    right: 'signed',
    aims: {
      '': {
        ok: 200,
        answers: ({ data }) => {
          const sessions = data as readonly { current: boolean }[]
          return sessions.length === 1 && sessions[0]?.current === true
            ? null
            : 'it holds sessions of others'
        },
      },
    },
  },
  'ownSessions.end': {
    right: 'signed',
    aims: {
      'of another account': {
        ok: 404,
        send: async (world) => ({ params: { id: await world.session() } }),
      },
    },
  },

  // Administration
  'account.endSessions': {
    right: may('update', 'SYS_USER'),
    aims: {
      'an account of the first school': {
        ok: reached,
        send: async (world) => ({ params: { id: await world.account() } }),
      },
    },
  },
  'account.handOver': {
    right: may('update', 'SYS_USER'),
    aims: {
      'an account of the first school': {
        ok: reached,
        send: async (world) => ({ params: { id: await world.account() }, body: { to: '0' } }),
      },
    },
  },
  'account.factors': {
    right: may('update', 'SYS_USER'),
    aims: {
      'an account of the first school': {
        ok: reached,
        send: async (world) => ({ params: { id: await world.account() } }),
      },
    },
  },
  'account.resetFactors': {
    right: may('update', 'SYS_USER'),
    aims: {
      'an account of the first school without a factor': {
        ok: { all: 403, full: 409, foreign: 404 },
        send: async (world) => ({ params: { id: await world.account() } }),
      },
    },
  },
  'account.createMany': {
    right: may('add', 'SYS_USER'),
    aims: {
      'an account without values': {
        ok: 200,
        send: () => ({ body: { accounts: [{}] } }),
        answers: ({ data }) =>
          (data as readonly { readonly id: string | null }[]).every(({ id }) => id === null)
            ? null
            : 'an account was made of nothing',
      },
    },
  },
  'account.resetPassword': {
    right: may('update', 'SYS_USER'),
    aims: {
      'an account of the first school': {
        ok: reached,
        send: async (world) => ({ params: { id: await world.account() } }),
      },
    },
  },
  'registration.decide': {
    right: may('update'),
    aims: {
      'of a student of the first school': {
        ok: reached,
        send: async (world) => ({
          params: { id: await world.registration('own') },
          body: { version: 1, agree: true },
        }),
      },
      'of a student outside of their rows': {
        ok: unreached,
        send: async (world) => ({
          params: { id: await world.registration('hidden') },
          body: { version: 1, agree: false },
        }),
      },
    },
  },
  'role.permissions': {
    right: may('view', 'SYS_ROLE'),
    aims: {
      'of the first school': {
        ok: reached,
        send: ({ things }) => ({ params: { id: things.role } }),
      },
    },
  },
  'role.savePermissions': {
    right: may('update', 'SYS_ROLE'),
    aims: {
      'of the first school': {
        ok: { all: 409, foreign: 404 },
        send: ({ things }) => ({
          params: { id: things.role },
          body: { version: 77, codes: [], rules: [] },
        }),
      },
    },
  },
  'role.checkScope': {
    right: may('view', 'SYS_ROLE'),
    aims: {
      '': { ok: 422 },
      'by a field that they may not read': scopeAim(
        "row.nameEn == 'Li Lei'",
        ({ fault }, who) => (fault !== null) === (who === 'fields'),
      ),
      'by personal data': scopeAim(
        "row.mobile == '13800000001'",
        ({ fault }, who) => (fault !== null) === (who === 'reader'),
      ),
      'of rows outside of theirs': scopeAim(
        `row.gender != '${ownGender}'`,
        ({ rows }, who) => who === 'foreign' || (rows === 0) === (who === 'rows'),
      ),
    },
  },
  ...dictionaryRights,
  'tenants.list': bare(code('tenant:manage'), { all: 200, foreign: 404 }),
  'tenants.create': bare(code('tenant:manage'), { all: 422, foreign: 404 }),
  'apiToken.list': bare('staff', 200),
  'apiToken.create': bare('staff', 422),
  'apiToken.revoke': bare('staff', 404),
  'agent.entities': bare('staff', 200),
  'agent.todo': {
    right: may('view'),
    aims: { '': { ok: 200, send: () => ({ params: { tag: student } }) } },
  },
  'agent.case': {
    right: may('view'),
    aims: {
      '': {
        ok: 404,
        send: async (world) => ({ params: { tag: student, id: await world.student('own') } }),
      },
    },
  },
  'proposals.propose': bare('staff', 422),
  'proposals.list': bare('staff', 200),
  'proposals.read': bare('staff', 404),
  'proposals.confirm': bare('staff', 422),
  'proposals.refuse': bare('staff', 404),
  'hook.list': bare(code('entity:design'), 200),
  'hook.create': bare(code('entity:design'), 422),
  'hook.remove': bare(code('entity:design'), 404),
  'hook.deliveries': bare(code('entity:design'), 404),
  'hook.repeat': bare(code('entity:design'), 404),
  'description.entities': {
    right: code('entity:EDU_STUDENT:view'),
    aims: {
      'students of the first school': {
        ok: 200,
        send: () => ({ query: { entities: 'EDU_STUDENT' } }),
      },
    },
  },
  'provider.check': bare(code('tenant:manage'), reached),
  'provider.testSms': bare(code('tenant:manage'), { all: 422, foreign: 404 }),
  'tenants.enable': {
    right: code('tenant:manage'),
    aims: {
      // Another school has no such call, whatever the body is.
      'an empty body': { ok: { all: 422, foreign: 404 } },
      'an unknown school': {
        ok: 404,
        send: () => ({ body: { enabled: true } }),
      },
    },
  },
  'tenants.resetAdministrator': {
    right: code('tenant:manage'),
    aims: { 'an unknown school': { ok: 404 } },
  },

  'audit.verify': bare(code('audit:view'), 200),

  // Designer
  'design.page': {
    right: code('entity:design'),
    aims: { '': { ok: 200, send: () => ({ body: list }) } },
  },
  'design.create': bare(code('entity:design'), 422),
  'design.check': {
    right: code('entity:design'),
    aims: {
      '': { ok: 200 },
      'naming what they may not read': {
        ok: 200,
        send: async ({ admin }) => {
          const of = withoutStoredKeys(await admin.design.load({ params: { tag: 'EDU_CLASS' } }))
          return { body: { ...of, fields: [...of.fields, reaching] } }
        },
        answers: ({ text }, who) =>
          text.includes('entity.E098') === (who === 'designer')
            ? null
            : 'it has the wrong findings',
      },
    },
  },
  'design.proveFlows': bare(code('entity:design'), 200),
  'design.moveCases': {
    right: code('entity:design'),
    aims: {
      'an entity without a flow': {
        ok: 409,
        send: () => ({ body: { tag: 'EDU_CLASS', map: {}, preview: true } }),
      },
    },
  },
  'design.tables': bare(code('entity:design'), 200),
  'design.get': ownEntity({ all: 200, foreign: 404 }),
  'design.update': ownEntity({ all: 422, foreign: 404 }),
  'design.remove': ownEntity({ all: 404 }, '1'),
  'design.load': bare(code('entity:design'), 200),
  'design.save': bare(code('entity:design'), 422),
  'design.revisions': {
    right: code('entity:design'),
    aims: {
      'of an entity of the first school': {
        ok: 200,
        send: () => ({ params: { tag: 'EDU_MAJOR' } }),
        answers: ({ text }, who) =>
          text.includes('"version":2') === (who !== 'foreign') ? null : 'it holds the wrong saves',
      },
    },
  },
  'design.revision': {
    right: code('entity:design'),
    aims: { 'an unknown one': { ok: 404, send: () => ({ params: { version: '77' } }) } },
  },
  'design.columns': {
    right: code('entity:design'),
    aims: { 'a system table': { ok: 404, send: () => ({ params: { name: 'app_user' } }) } },
  },
  'design.draft': {
    right: code('entity:design'),
    aims: { 'a system table': { ok: 404, send: () => ({ params: { name: 'app_user' } }) } },
  },
  'design.draftAll': bare(code('entity:design'), 200),
  'design.adopt': bare(code('entity:design'), 422),
  'design.proposeSheet': bare(code('entity:design'), 422),
  'design.adoptSheet': bare(code('entity:design'), 422),
  ...tableRights,

  // Students
  'student.detail': {
    right: 'student',
    aims: {
      '': {
        ok: 200,
        answers: ({ text, sent: _sent }) =>
          /\d{17}[\dX]/.test(text) ? 'it holds a whole ID number' : null,
      },
    },
  },
  'student.reports': bare('student', 200),
  'student.price': bare('student', 422),
  'student.preview': bare('student', 422),
  'student.order': bare('student', 422),
  'student.orderStatus': ofOrder('student', 404),
  'student.cancelOrder': ofOrder('student', 404),
  'student.download': ofOrder('student', 404),
  'student.papers': bare('student', 200),
  'student.paper': {
    right: 'student',
    aims: { '': { ok: 404, send: () => ({ query: { number: 'N-2026-000001' } }) } },
  },

  ...moneyRights,
}
