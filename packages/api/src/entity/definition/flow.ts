// The flow of an entity: the statechart by which people decide on its rows (docs/rules/contract.md#flows).
import * as v from 'valibot'
import { type ItemTone, itemTones } from '../values.ts'

const key = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/))
const attrName = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/))
/** A name in both languages. */
const flowName = v.strictObject({
  zh: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
  en: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
})
export type FlowName = v.InferOutput<typeof flowName>

/** A field of the row that names a person or a part of the organisation. */
const rowRead = v.pipe(v.string(), v.regex(/^row\.[A-Za-z][A-Za-z0-9_]{0,62}$/))
const expression = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000))

const roleTerm = v.strictObject({
  role: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  /** Only the holders of the role in the organisation that this field of the row names. */
  within: v.optional(rowRead),
})
const applicantTerm = v.strictObject({ applicant: v.literal(true) })
/** The person that a field of the row names: an account, or the record that an account belongs to. */
const personTerm = v.strictObject({ person: rowRead })
const term = v.union([roleTerm, applicantTerm, personTerm])
/** People by one property: a role, being the applicant, or a field of the row that names them. */
export type FlowTerm = v.InferOutput<typeof term>
const terms = v.pipe(v.array(term), v.minLength(1), v.maxLength(12))
const who = v.pipe(
  v.array(
    v.union([
      term,
      /** Excludes the applicant, and those who decided in another state of the case. */
      v.literal('others'),
      v.strictObject({ any: terms }),
      /** One person for each term, all of them different. */
      v.strictObject({ all: terms }),
      /** So many different people. */
      v.strictObject({
        n: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(9)),
        of: terms,
      }),
    ]),
  ),
  v.minLength(1),
  v.maxLength(12),
)
export type FlowWho = v.InferOutput<typeof who>

/** A field of the row, or of the row that a relation leads to: `student.status`. */
const ownedField = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,62}(\.[A-Za-z][A-Za-z0-9_]{0,62})?$/),
)

/** Expressions over `row`, by the attribute that receives them. */
const sets = v.pipe(
  v.record(attrName, expression),
  v.check((given) => Object.keys(given).length >= 1 && Object.keys(given).length <= 30),
)
const effect = v.union([
  v.strictObject({ set: sets }),
  v.strictObject({ update: v.strictObject({ relation: attrName, set: sets }) }),
  v.strictObject({
    create: v.strictObject({ tag: v.pipe(v.string(), v.maxLength(63)), set: sets }),
  }),
  /** People who then may read the case, and are told of it (抄送). */
  v.strictObject({ copy: v.strictObject({ who: terms }) }),
  v.strictObject({ document: v.pipe(v.string(), v.minLength(1), v.maxLength(60)) }),
  v.strictObject({
    notify: v.strictObject({
      /** `asked`: the people that the case then waits for, once a day. */
      who: v.union([terms, v.literal('asked')]),
      /** The code of a text: one of `flowTemplates`, or of a template of the school (SYS_SMS_TEMPLATE). */
      template: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
    }),
  }),
])
/** Texts of notices that every school has. They go by the bell and e-mail; those of a school by SMS too. */
export const flowTemplates = ['NOTICE', 'REMIND'] as const
export type FlowEffect = v.InferOutput<typeof effect>
const effects = v.optional(v.pipe(v.array(effect), v.maxLength(12)))

/** A state by its key, from the state of the event outwards; a dot leads to a state within. */
const target = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,39}(\.[A-Za-z][A-Za-z0-9_]{0,39}){0,3}$/),
)
const flowEvent = v.strictObject({
  name: flowName,
  target: v.optional(target),
  who,
  when: v.optional(expression),
  /** Fields that the decider fills in. */
  ask: v.optional(
    v.pipe(
      v.array(v.strictObject({ attrName, required: v.optional(v.boolean(), false) })),
      v.maxLength(20),
    ),
  ),
  note: v.optional(v.picklist(['required', 'optional'])),
  effects,
})
export type FlowEvent = v.InferOutput<typeof flowEvent>
const events = v.record(
  key,
  v.union([flowEvent, v.pipe(v.array(flowEvent), v.minLength(1), v.maxLength(8))]),
)
export type FlowEvents = v.InferOutput<typeof events>

/** `48 h`, or `5 workdays`: Monday to Friday, where the school's calendar (SYS_CALENDAR_DAY) says nothing else. */
export const durationPattern = /^([1-9]\d{0,3}) (h|workdays)$/
const after = v.record(
  v.pipe(v.string(), v.regex(durationPattern)),
  v.strictObject({ target, effects }),
)
const onDone = v.union([target, v.strictObject({ target, effects })])

const coordinate = v.pipe(v.number(), v.integer(), v.minValue(-20_000), v.maxValue(20_000))
/** Pixels from the corner of the chart, or of the state around it. */
const place = v.strictObject({ x: coordinate, y: coordinate })

/** Ways in which a person or an office may be added to a step: decides before, after or beside its people. */
export const flowAddWays = ['before', 'after', 'beside'] as const
const allowed = v.strictObject({
  /** 转办: whoever is asked hands the task to another. */
  transfer: v.optional(v.boolean()),
  /** 加签: the ways in which whoever is asked may add somebody; none when empty. */
  add: v.optional(v.array(v.picklist(flowAddWays))),
  /** 委托: substitutes decide in the name of absent people. */
  substitute: v.optional(v.boolean()),
  /** 抄送: whoever is asked, or began the case, sends others a copy to read. */
  copy: v.optional(v.boolean()),
})
/** Acts on the people of a step that a flow allows. All are allowed where nothing is said. */
export type FlowAllowed = Readonly<v.InferOutput<typeof allowed>>

/** A state of a flow. */
export interface FlowState {
  readonly name: FlowName
  readonly tone?: ItemTone | undefined
  readonly final?: boolean | undefined
  /** The fields that may be changed while the row is in the state. */
  readonly edit?: readonly string[] | undefined
  /** Its states are taken side by side, each a region. */
  readonly type?: 'parallel' | undefined
  readonly states?: Readonly<Record<string, FlowState>> | undefined
  readonly initial?: string | undefined
  readonly on?: FlowEvents | undefined
  /** For this state and those within; else that of the flow counts. */
  readonly allow?: FlowAllowed | undefined
  readonly after?: v.InferOutput<typeof after> | undefined
  /** Taken when its states have come to their end. */
  readonly onDone?: v.InferOutput<typeof onDone> | undefined
  /** Its place in the chart of the designer; laid out by itself without one. */
  readonly at?: v.InferOutput<typeof place> | undefined
}

const state: v.GenericSchema<FlowState> = v.strictObject({
  name: flowName,
  tone: v.optional(v.picklist(itemTones)),
  final: v.optional(v.boolean()),
  edit: v.optional(v.pipe(v.array(attrName), v.maxLength(200))),
  type: v.optional(v.literal('parallel')),
  states: v.optional(v.lazy(() => states)),
  initial: v.optional(key),
  on: v.optional(events),
  allow: v.optional(allowed),
  after: v.optional(after),
  onDone: v.optional(onDone),
  at: v.optional(place),
}) as unknown as v.GenericSchema<FlowState>
const states = v.pipe(
  v.record(key, state),
  v.check((given) => Object.keys(given).length >= 1 && Object.keys(given).length <= 40),
)

/** Rules that a school chooses for a flow, checked on every path of it. */
const rule = v.union([
  /** `twoPersons`, `twoOffices` before every effect; `reasons` at every refusal. */
  v.picklist(['twoPersons', 'twoOffices', 'reasons']),
  /** From submission to the end, by timers that escalate or end it. */
  v.strictObject({ endsWithin: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999)) }),
  /** No effect on rows that meet the expression. */
  v.strictObject({ noEffectWhen: expression }),
])
type FlowRule = v.InferOutput<typeof rule>

/** Students of the school begin cases of the flow themselves, in the student service. */
const student = v.strictObject({
  /** A relation to {@link studentTag}: the server writes the student who signed in. */
  field: attrName,
  /** The fields that the student fills in; of the others nothing is taken, or shown. */
  fill: v.pipe(v.array(attrName), v.minLength(1), v.maxLength(30)),
  /** Shown above the form. */
  help: v.optional(
    v.strictObject({
      zh: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500)),
      en: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000)),
    }),
  ),
})
/** The entity of students, as every school has it. */
export const studentTag = 'EDU_STUDENT'
/** A document that the flow issues about a case. */
const flowDocument = v.strictObject({
  title: flowName,
  language: v.optional(v.picklist(['zh', 'en']), 'zh'),
  /** The relation that names the student whom it is about. */
  person: v.optional(rowRead),
  /** Texts with expressions over `row` in braces. */
  paragraphs: v.pipe(
    v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000))),
    v.minLength(1),
    v.maxLength(30),
  ),
})
export type FlowDocument = v.InferOutput<typeof flowDocument>

export interface Flow {
  /** The field that holds the state's key. */
  readonly field: string
  readonly initial: string
  readonly states: Readonly<Record<string, FlowState>>
  readonly rules?: readonly FlowRule[] | undefined
  readonly student?: v.InferOutput<typeof student> | undefined
  /** By the code that effects name. */
  readonly documents?: Readonly<Record<string, FlowDocument>> | undefined
  /** Fields that nothing but the effects of the flow may change. */
  readonly owns?: readonly string[] | undefined
  /** Events in every state. */
  readonly on?: FlowEvents | undefined
  readonly allow?: FlowAllowed | undefined
}
export const flowSchema: v.GenericSchema<Flow> = v.strictObject({
  field: attrName,
  initial: key,
  states,
  rules: v.optional(v.pipe(v.array(rule), v.maxLength(20))),
  student: v.optional(student),
  documents: v.optional(v.record(key, flowDocument)),
  owns: v.optional(v.pipe(v.array(ownedField), v.maxLength(20))),
  on: v.optional(events),
  allow: v.optional(allowed),
}) as unknown as v.GenericSchema<Flow>
