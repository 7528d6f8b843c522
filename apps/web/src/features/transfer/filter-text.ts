import type { DictItem } from '@jiaowu/api/entity/values'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { isMoney, yuanText } from '@jiaowu/api/fields/money'

/** Filters of a list as text for the user: "院系 信息工程学院；姓名 王". */
export function filterText(
  { fields }: Pick<EntityConfig, 'fields'>,
  applied: Readonly<Record<string, unknown>>,
): string {
  return Object.entries(applied)
    .flatMap(([name, value]) => {
      const field = fields.find(({ attrName }) => attrName === name)
      return field === undefined ? [] : [`${field.uiLabel} ${formatFilterValue(field, value)}`]
    })
    .join('；')
}

function formatFilterValue(field: Field, value: unknown): string {
  const { dictData } = field
  if (Array.isArray(value))
    return (value as readonly unknown[])
      .map((each) =>
        typeof each === 'object' && each !== null
          ? (each as DictItem).name
          : isMoney(field)
            ? yuanText(each) || '…'
            : String(each ?? '…'),
      )
      .join(value.some((each) => typeof each !== 'object') ? ' – ' : '、')
  return (
    dictData?.find(({ id }) => id === String(value))?.name ??
    (isMoney(field) ? yuanText(value) : String(value))
  )
}
