// Lists whose rows name a record, proposed from the relations of the definitions.
import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { entityName, type LoadedField } from '../../model/definition/loaded.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { isQueryable } from '../read/query.ts'
import { loadSearchedAccesses } from './searched-entities.ts'

/** In the order of the menu; of fields by which the caller may filter. */
export async function listRelated(
  context: Context,
  { entity }: EntityAccess,
): Promise<RelatedList[]> {
  const { locale } = context
  const label = ({ definition: { uiLabel, options } }: LoadedField) =>
    locale === 'en' ? (options.labelEn ?? uiLabel) : uiLabel
  return (await loadSearchedAccesses(context)).flatMap((access) =>
    access.entity.fields
      .filter((field) => relationTag(field.definition) === entity.tag && isQueryable(access, field))
      // The parent of a tree is shown by the tree itself.
      .filter(({ definition }) => definition.attrName !== access.entity.definition.parentField)
      // Several fields may show one column, such as a student and the number.
      .filter(
        ({ column }, index, all) =>
          all.findIndex((other) => other.column?.name === column?.name) === index,
      )
      .map((field) => ({
        tag: access.entity.tag,
        name: entityName(access.entity, locale),
        attrName: field.definition.attrName,
        label: label(field),
        valueAttr: field.definition.options.valueAttr ?? 'id',
      })),
  )
}
