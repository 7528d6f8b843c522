import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { itemTones } from '../../entity/values.ts'
import { limits } from '../../limits.ts'
import { entityConfig } from '../entity/entity-config.ts'
import { dictItems, row, text, values, wholeNumber } from '../shapes.ts'

const pair = v.object({ zh: v.string(), en: v.string() })
const kind = v.object({
  tag: v.string(),
  title: pair,
  help: v.nullable(pair),
  /** Its fields are those of the application, in the caller's language; those with `isAdd` 1 are filled in. */
  config: entityConfig,
})
/** A kind of application that a student may make. */
export type ApplicationKind = v.InferOutput<typeof kind>

/** A line of the student's own applications. */
const brief = v.object({
  tag: v.string(),
  id: v.string(),
  kind: pair,
  title: v.string(),
  /** Key of the state. */
  state: v.string(),
  stateName: v.string(),
  tone: v.exactOptional(v.picklist(itemTones)),
  isDone: v.boolean(),
  /** `YYYY-MM-DD HH:mm:ss` */
  since: v.string(),
})

const offer = v.object({
  /** `SUBMIT` */
  event: v.string(),
  name: v.string(),
  ask: v.array(v.object({ attrName: v.string(), required: v.boolean() })),
  note: v.nullable(v.picklist(['required', 'optional'])),
})
const step = v.object({
  at: v.string(),
  name: v.string(),
  /** Names of the outermost states. */
  from: v.string(),
  to: v.string(),
  note: v.nullable(v.string()),
  /** From when the state was entered. */
  seconds: v.number(),
  /** Whether the student did it; else an office, or the time. */
  isOwn: v.boolean(),
})
const applicationAnswer = v.object({
  tag: v.string(),
  id: v.string(),
  /** The fields that the student may see. */
  row,
  state: v.string(),
  stateName: v.string(),
  tone: v.exactOptional(v.picklist(itemTones)),
  isDone: v.boolean(),
  since: v.nullable(v.string()),
  /** The events that the student may send now. */
  can: v.array(offer),
  /** Fields that the student may change now; files too, while there are any. */
  edit: v.array(v.string()),
  /** Oldest first. People of offices are not named. */
  log: v.array(step),
  /** The offices that are waited for. */
  next: v.array(v.string()),
  /** Sent back with an event; `row.version` is sent back with a change. */
  version: v.string(),
})
/** An application of the student who is signed in. */
export type Application = v.InferOutput<typeof applicationAnswer>

const tagId = v.strictObject({ ts: v.optional(text) })

/**
 * Applications of students, by the flows of their school that are open to them
 * (docs/rules/contract.md#students-as-applicants). Rows of other students answer 404.
 */
export const application = {
  kinds: endpoint({
    method: 'GET',
    path: '/stu/application/kind',
    access: 'student',
    query: tagId,
    answer: v.array(kind),
  }),
  /** Newest first. */
  list: endpoint({
    method: 'GET',
    path: '/stu/application',
    access: 'student',
    query: tagId,
    answer: v.array(brief),
  }),
  get: endpoint({
    method: 'GET',
    path: '/stu/application/{tag}/{id}',
    access: 'student',
    query: tagId,
    answer: applicationAnswer,
  }),
  /** The sheet of the application, signed, with offices and no people of them. @throws 422 for what cannot be drawn */
  print: fileEndpoint({
    method: 'GET',
    path: '/stu/application/{tag}/{id}/sheet',
    access: 'student',
    query: tagId,
  }),
  /** In the first state of the flow, for the caller. @throws 422 for fields that are not the student's to fill in */
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/stu/application/{tag}',
    access: 'student',
    body: values,
    answer: applicationAnswer,
  }),
  /** Carries the `version` of the row. @throws 409/40900; 422 where the state does not open the field */
  update: endpoint({
    method: 'PUT',
    path: '/stu/application/{tag}/{id}',
    access: 'student',
    body: values,
    answer: applicationAnswer,
  }),
  /** @throws 409/40900 with the application as it is now; 422 */
  send: endpoint({
    method: 'POST',
    keyed: true,
    path: '/stu/application/{tag}/{id}/flow/{event}',
    access: 'student',
    body: v.strictObject({
      version: v.pipe(v.string(), v.maxLength(60)),
      note: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(2000)))),
      fields: v.optional(values, {}),
    }),
    answer: applicationAnswer,
  }),
  /** Offers the caller's own rows alone where rows belong to students. */
  choices: endpoint({
    method: 'POST',
    keyed: false,
    path: '/stu/application/{tag}/choice',
    access: 'student',
    body: v.strictObject({
      fieldId: text,
      searchKey: v.optional(v.nullable(text)),
      cascades: v.optional(v.nullable(values)),
      pageNum: v.optional(wholeNumber, 1),
      pageSize: v.optional(
        v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)),
        limits.lookupPageSize,
      ),
    }),
    answer: v.object({ records: dictItems, total: v.number() }),
  }),
} as const
