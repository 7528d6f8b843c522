import type { Locale } from '../../locale.ts'
import { t } from '../../texts/index.ts'
import type { EntityConfig, Field } from '../config.ts'
import type { ListTime } from './list-query.ts'

/**
 * createTime and updateTime as fields of filters and sorts. Lists filter by them as ranges, whatever
 * the definition says of its own fields of these names (docs/rules/contract.md#lists).
 */
export function timeFields(
  { fields, times = [] }: Pick<EntityConfig, 'fields' | 'times'>,
  locale: Locale,
): readonly Field[] {
  return times.map((name) => {
    const own = fields.find(({ attrName }) => attrName === name)
    return {
      ...(own ?? bare(name, locale)),
      isQuery: 1,
      queryType: 'between',
      sortable: true,
    }
  })
}

/** The fields by which lists filter. */
export function queryFields(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  locale: Locale,
): readonly Field[] {
  const times = timeFields(config, locale)
  return [
    ...config.fields.filter(
      ({ attrName, isQuery }) => isQuery === 1 && !times.some((time) => time.attrName === attrName),
    ),
    ...times,
  ]
}

/** The fields by which lists sort. */
export function sortFields(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  locale: Locale,
): readonly Field[] {
  const times = timeFields(config, locale)
  return [
    ...config.fields.filter(
      ({ attrName, sortable }) => sortable && !times.some((time) => time.attrName === attrName),
    ),
    ...times,
  ]
}

function bare(name: ListTime, locale: Locale): Field {
  return {
    id: name,
    attrName: name,
    uiLabel: t(locale, `field.${name}`),
    uiType: 'datetime',
    uiWidth: 8,
    dictType: -1,
    dictValue: null,
    linkType: -1,
    linkUrl: null,
    isList: 0,
    isQuery: 1,
    isDetail: 0,
    isExport: 0,
    isAdd: 0,
    isEdit: 0,
    queryType: 'between',
    uiDefaultType: -1,
    defaultValue: null,
    disabled: false,
    valids: {},
    options: {},
    sortable: true,
  }
}
