import * as v from 'valibot'
import type { EntityConfig, Field } from '../../entity/config.ts'
import { buttonSchema } from '../../entity/definition/button.ts'
import {
  entityOptionsSchema,
  entrySchema,
  fieldDefinitionSchema,
} from '../../entity/definition/definition.ts'
import { piiKinds } from '../../entity/enums.ts'
import { listTimes } from '../../entity/list/list-query.ts'
import { entityActions } from '../../entity/permission.ts'
import { dictItems } from '../shapes.ts'

/** Sets the properties that definitions may leave out. */
const shown = v.required(
  v.pick(fieldDefinitionSchema, [
    'id',
    'attrName',
    'uiLabel',
    'uiType',
    'uiWidth',
    'dictType',
    'dictValue',
    'linkType',
    'linkUrl',
    'isList',
    'isQuery',
    'isDetail',
    'isExport',
    'isAdd',
    'isEdit',
    'queryType',
    'uiDefaultType',
    'defaultValue',
    'disabled',
    'valids',
    'options',
  ]),
)
const field: v.GenericSchema<unknown, Field> = v.object({
  ...shown.entries,
  pii: v.exactOptional(v.nullable(v.picklist(piiKinds))),
  derived: v.exactOptional(v.nullable(v.string())),
  dictData: v.exactOptional(dictItems),
  sortable: v.boolean(),
  unique: v.exactOptional(v.boolean()),
  numbered: v.exactOptional(v.boolean()),
  owner: v.exactOptional(v.string()),
})
const options = v.required(
  v.pick(entityOptionsSchema, [
    'selection',
    'operColumnShow',
    'singleSelect',
    'multiSelect',
    'openType',
    'sorts',
  ]),
)

/** The answer of `GET /entity/{tag}/config`. */
export const entityConfig: v.GenericSchema<unknown, EntityConfig> = v.object({
  tag: v.string(),
  name: v.string(),
  fields: v.array(field),
  buttons: v.array(buttonSchema),
  options: v.object(options.entries),
  entry: v.exactOptional(
    v.object({
      ...entrySchema.entries,
      add: v.exactOptional(
        v.object({ tag: v.string(), field: v.string(), from: v.array(v.string()) }),
      ),
    }),
  ),
  flow: v.exactOptional(v.boolean()),
  idField: v.string(),
  tagField: v.nullable(v.string()),
  titlePattern: v.exactOptional(v.string()),
  permissions: v.array(v.string()),
  formId: v.exactOptional(v.boolean()),
  times: v.exactOptional(v.array(v.picklist(listTimes))),
  recycles: v.exactOptional(v.boolean()),
  refuses: v.exactOptional(v.array(v.picklist(entityActions))),
  tree: v.exactOptional(v.object({ parentField: v.string(), sortField: v.nullable(v.string()) })),
})
