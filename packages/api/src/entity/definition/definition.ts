import * as v from 'valibot'
import { buttonSchema } from './button.ts'
import { flowSchema } from './flow.ts'
import { openTypes, piiKinds, systemColumns, uiTypes } from '../enums.ts'

const flag = v.picklist([0, 1])
const mode = v.picklist([0, 1, 2])
const attrName = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/))

/** A name in the database: any text of up to 63 bytes. It is always quoted, never typed into SQL. */
const sqlName = v.pipe(
  v.string(),
  v.minLength(1),
  v.check((name) => !name.includes('\u0000') && new TextEncoder().encode(name).length <= 63),
)

/**
 * A cascade: the value of the parent field `attrName` filters the choices of this field by
 * `filterAttr` of their entity.
 */
const cascadeSchema = v.strictObject({ attrName, filterAttr: attrName })
export type Cascade = v.InferOutput<typeof cascadeSchema>

/** Display of the field as a list column (docs/spec/1-entity-console.md §3). Width in pixels. */
const columnSchema = v.strictObject({
  label: v.optional(v.string()),
  width: v.optional(v.pipe(v.number(), v.minValue(40), v.maxValue(1200))),
  align: v.optional(v.picklist(['left', 'center', 'right'])),
  fixed: v.optional(v.picklist(['left', 'right'])),
})

const fieldOptionsSchema = v.strictObject({
  placeholder: v.optional(v.string()),
  /** Explains the field, shown below its control. */
  help: v.optional(v.pipe(v.string(), v.maxLength(500))),
  /** Other headings of the field in sheets that are imported. */
  synonyms: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))), v.maxLength(30)),
  ),
  maxLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  cascades: v.optional(v.array(cascadeSchema)),
  column: v.optional(columnSchema),
  /** Label in English; the Chinese one is `uiLabel`. */
  labelEn: v.optional(v.string()),
  /**
   * Relations: the attribute of the other entity whose value is stored, where it is not the id of a
   * row. It is unique there.
   */
  valueAttr: v.optional(attrName),
  /**
   * Choices for a dictionary that does not exist yet: saving the definition makes it, under the code
   * in `dictValue`, and leaves them out of the definition.
   */
  items: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
          name: v.string(),
          nameEn: v.optional(v.string()),
        }),
      ),
      v.maxLength(200),
    ),
  ),
  /** Decimal places of a number. */
  precision: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10))),
  /** The number is an amount in this unit, shown in yuan with two decimals. */
  money: v.optional(v.literal('fen')),
  /** Numbers below it are low: lists mark them, and figures count them. */
  warnBelow: v.optional(v.number()),
  /**
   * A switch of the row that says whether the number is low, instead of `warnBelow`: 90 of 150 passes
   * where 60 of 100 does. Low are the numbers of rows in which it is off.
   */
  warnUnless: v.optional(attrName),
})

/**
 * Rules of a field (docs/spec/1-entity-console.md §5). `type` is a comma-separated list of
 * validators.
 */
/** A number, or an expression over `row`, such as the scale of a course (docs/rules/contract.md#rules-of-values). */
const bound = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.string(), v.trim(), v.maxLength(500)),
])
const validsSchema = v.strictObject({
  required: v.optional(v.boolean()),
  maxLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Characters, of any alphabet; `maxLength` counts those above code 128 twice. */
  maxChars: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** In the units of `maxLength`. */
  minLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  min: v.optional(bound),
  max: v.optional(bound),
  /** Values are whole steps from `min`, or from 0. */
  step: v.optional(bound),
  type: v.optional(v.string()),
})

/**
 * A field as the designer edits it and the server stores it
 * (docs/spec/2-student-service-and-designer.md §3).
 */
export const fieldDefinitionSchema = v.strictObject({
  id: v.string(),
  attrName,
  attrType: v.optional(v.string()),
  columnName: v.optional(v.nullable(v.string()), null),
  columnType: v.optional(v.nullable(v.string()), null),
  columnComment: v.optional(v.nullable(v.string()), null),
  tableName: v.optional(v.nullable(v.string()), null),
  uiLabel: v.string(),
  uiType: v.optional(v.picklist(uiTypes), 'input'),
  uiWidth: v.optional(v.number(), 100),
  uiSort: v.optional(v.number(), 0),
  uiDefaultType: v.optional(v.picklist([-1, 0, 1, 2, 3]), -1),
  defaultValue: v.optional(v.nullable(v.string()), null),
  isPk: v.optional(flag, 0),
  isTag: v.optional(flag, 0),
  isNull: v.optional(flag, 1),
  isInsert: v.optional(flag, 1),
  isUpdate: v.optional(flag, 1),
  isList: v.optional(flag, 0),
  isQuery: v.optional(flag, 0),
  isDetail: v.optional(flag, 0),
  isExport: v.optional(flag, 0),
  isDerived: v.optional(flag, 0),
  isAdd: v.optional(mode, 1),
  isEdit: v.optional(mode, 1),
  queryType: v.optional(v.string(), 'equal'),
  dictType: v.optional(v.picklist([-1, 0, 1, 2]), -1),
  dictValue: v.optional(v.nullable(v.string()), null),
  linkType: v.optional(v.picklist([-1, 1, 2]), -1),
  linkUrl: v.optional(v.nullable(v.string()), null),
  disabled: v.optional(v.boolean(), false),
  /** Personal data: its column is masked for everyone in every entity (docs/rules/security.md#d4). */
  pii: v.optional(v.nullable(v.picklist(piiKinds)), null),
  /**
   * A formula: the value is computed from the row and never typed
   * (docs/rules/contract.md#derived-fields).
   */
  derived: v.optional(v.nullable(v.string()), null),
  valids: v.optional(validsSchema, {}),
  options: v.optional(fieldOptionsSchema, {}),
  comments: v.optional(v.nullable(v.string()), null),
})
export type FieldDefinition = v.InferOutput<typeof fieldDefinitionSchema>
/** A field before defaults are applied. */
export type FieldDraft = v.InferInput<typeof fieldDefinitionSchema>

/**
 * Segments of a serial number: 1 counter (digits, reset period), 2 date of submission (1 year, 2
 * year-month, 3 year-month-day), 3 fixed text (docs/spec/2-student-service-and-designer.md §3).
 */
const serialSegmentSchema = v.variant('type', [
  v.strictObject({
    type: v.literal(1),
    length: v.optional(v.pipe(v.number(), v.integer(), v.minValue(3), v.maxValue(9)), 5),
    period: v.optional(v.picklist(['never', 'day', 'month', 'year']), 'never'),
  }),
  v.strictObject({ type: v.literal(2), format: v.optional(v.picklist([1, 2, 3]), 3) }),
  v.strictObject({ type: v.literal(3), text: v.pipe(v.string(), v.minLength(1), v.maxLength(32)) }),
])
export type SerialSegment = v.InferOutput<typeof serialSegmentSchema>

/**
 * Entry sheets: the rows that agree in the fields `by`, such as the grades of one course and term, are
 * entered together as a grid, submitted, and then locked (docs/rules/contract.md#entry-sheets).
 */
export const entrySchema = v.strictObject({
  name: v.optional(v.string()),
  nameEn: v.optional(v.string()),
  by: v.pipe(v.array(attrName), v.minLength(1), v.maxLength(4)),
  /** Columns that stay in sight, and those after them. */
  frozen: v.pipe(v.array(attrName), v.minLength(1), v.maxLength(4)),
  columns: v.pipe(v.array(attrName), v.minLength(1), v.maxLength(30)),
  /** A row counts as entered when it has a value here. */
  progress: attrName,
  /** A switch that is off in the rows that fail; without it, low values of `progress` fail. */
  passed: v.optional(attrName),
  /** Rows for the records that a relation leads to, chosen by values of theirs: a class, a major. */
  add: v.optional(
    v.strictObject({
      field: attrName,
      from: v.pipe(v.array(attrName), v.minLength(1), v.maxLength(4)),
    }),
  ),
})
export type EntrySheet = v.InferOutput<typeof entrySchema>

/**
 * Fields of a table from elsewhere that the server fills: the user is written as the id, or in a text
 * as the account. A row is deleted where the field of `deleted` has the value `yes`; without a value it
 * holds the time.
 */
export const keptFieldsSchema = v.strictObject({
  deleted: v.optional(
    v.strictObject({
      attrName,
      yes: v.nullable(v.pipe(v.string(), v.maxLength(20))),
      no: v.nullable(v.pipe(v.string(), v.maxLength(20))),
    }),
  ),
  createUser: v.optional(attrName),
  createTime: v.optional(attrName),
  updateUser: v.optional(attrName),
  updateTime: v.optional(attrName),
})
export type KeptFields = v.InferOutput<typeof keptFieldsSchema>

const titlePattern = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(/\{[A-Za-z]\w*\}/),
  v.regex(/^[^\p{Cc}]*$/u),
)

export const entityOptionsSchema = v.strictObject({
  selection: v.optional(v.boolean(), true),
  operColumnShow: v.optional(v.boolean(), true),
  singleSelect: v.optional(v.boolean(), false),
  multiSelect: v.optional(v.boolean(), true),
  openType: v.optional(v.picklist(openTypes), 'drawer'),
  sorts: v.optional(v.array(v.strictObject({ column: attrName, asc: v.boolean() })), []),
  serialNumType: v.optional(v.nullable(v.picklist([1, 2, 3])), null),
  serialNumConfig: v.optional(v.array(serialSegmentSchema), []),
  /** The attrName that receives the serial number. */
  serialNumField: v.optional(v.nullable(attrName), null),
  /**
   * Allows gaps: the counter is incremented outside the row's transaction
   * (docs/rules/contract.md#definitions).
   */
  serialNumFast: v.optional(v.boolean(), false),
  /**
   * Columns of a table from elsewhere that the server fills and obeys like those of its own tables: a
   * row with `deleted_at` is in the recycle bin, one with another `tenant_id` is another school's.
   */
  systemColumns: v.optional(v.array(v.picklist(systemColumns))),
  kept: v.optional(keptFieldsSchema),
  /**
   * Names a row by several fields: `{firstName} {lastName}`; a relation or a choice stands for its
   * label. `tagField` still says which of them rows
   * are ordered by, and stands for the pattern where a reader may not see all of its fields.
   */
  titlePattern: v.optional(titlePattern),
  /**
   * False: relations that name `tagField` show it alone in their columns, sheets and imports, and
   * questions, messages and choices name the record by the pattern.
   */
  titleInColumns: v.optional(v.boolean()),
  /** The second line of a choice: what tells namesakes apart, such as `{studentNo} · {class}`. */
  subtitlePattern: v.optional(titlePattern),
  entry: v.optional(entrySchema),
  /** People decide on the rows (docs/rules/contract.md#flows). */
  flow: v.optional(flowSchema),
  remarks: v.optional(v.string()),
})

/**
 * The definition of an entity, from which its lists, forms and details are made
 * (docs/spec/2-student-service-and-designer.md §3).
 */
export const entityDefinitionSchema = v.strictObject({
  tag: v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{1,62}$/)),
  name: v.string(),
  nameEn: v.optional(v.string()),
  /** The schema as the database names it; the designer offers those of the setting BUSINESS_SCHEMAS. */
  schemaName: v.optional(sqlName, 'biz'),
  /** The table, view or materialized view as the database names it. */
  tableName: sqlName,
  /**
   * attrNames of the id, and of the field that names a row to users (also in lookups of other
   * entities).
   */
  idField: v.optional(attrName, 'id'),
  tagField: v.optional(v.nullable(attrName), null),
  /** Tree entities: attrName of the field with the parent's id. */
  parentField: v.optional(v.nullable(attrName), null),
  options: v.optional(entityOptionsSchema, {}),
  fields: v.array(fieldDefinitionSchema),
  buttons: v.optional(v.array(buttonSchema), []),
})
export type EntityDefinition = v.InferOutput<typeof entityDefinitionSchema>
export type EntityDraft = v.InferInput<typeof entityDefinitionSchema>
export type EntityOptions = v.InferOutput<typeof entityOptionsSchema>
