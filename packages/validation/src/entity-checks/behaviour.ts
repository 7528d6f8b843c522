// Serial numbers, buttons and links.
import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import type { EntityOptions, SerialSegment } from '@jiaowu/api/entity/definition/definition'
import { linkTypes, serialTypes } from '@jiaowu/api/entity/enums'
import { ExpressionError } from '../expression/ast.ts'
import { isSafeAddress } from '../address.ts'
import { listRowNames, findUnknownRoot } from '../expression/names.ts'
import { parseExpression } from '../expression/parse.ts'
import { type Check, eachField, error, type Fault, type Subject, warning } from './finding.ts'
const reset = { never: 0, year: 1, month: 2, day: 3 } as const
const room: Readonly<Record<string, number>> = { int2: 4, int4: 9, int8: 18 }
const isCustom = ({ serialNumType }: EntityOptions) => serialNumType === serialTypes.custom

const serialChecks: readonly Check[] = [
  error(
    'entity.E060',
    serial(
      (options, subject) =>
        serialField(options, subject) === undefined
          ? { name: options.serialNumField ?? '' }
          : undefined,
      'serialNumField',
    ),
  ),
  error(
    'entity.E061',
    serial(
      (options) => (isCustom(options) && options.serialNumConfig.length === 0 ? true : undefined),
      'serialNumConfig',
    ),
  ),
  error(
    'entity.E062',
    serial(
      (options) =>
        isCustom(options) &&
        options.serialNumConfig.length > 0 &&
        !options.serialNumConfig.some(({ type }) => type === 1)
          ? true
          : undefined,
      'serialNumConfig',
    ),
  ),
  error(
    'entity.E063',
    serial(
      (options) => (isCustom(options) && repeats(options.serialNumConfig) ? true : undefined),
      'serialNumConfig',
    ),
  ),
  error(
    'entity.E064',
    serial((options, subject) => {
      const field = serialField(options, subject)
      const column = field === undefined ? undefined : subject.columnOf(field)
      const most = column === undefined ? null : (column.length ?? room[column.type] ?? null)
      const length =
        options.serialNumType === serialTypes.snowflake
          ? 18
          : isCustom(options)
            ? options.serialNumConfig.reduce((sum, segment) => sum + measureSegment(segment), 0)
            : 0
      return most === null || length <= most ? undefined : { length, most }
    }, 'serialNumConfig'),
  ),
  warning(
    'entity.E065',
    serial(
      (options, subject) =>
        serialField(options, subject)?.isAdd === 1
          ? { label: serialField(options, subject)?.uiLabel ?? '' }
          : undefined,
      'serialNumField',
    ),
  ),
  error(
    'entity.E066',
    serial((options, subject) => {
      const field = serialField(options, subject)
      const type = field === undefined ? undefined : subject.columnOf(field)?.type
      const spelled =
        isCustom(options) &&
        options.serialNumConfig.some((segment) => segment.type === 3 && !/^\d+$/.test(segment.text))
      return type !== undefined && (Object.hasOwn(room, type) || type === 'numeric') && spelled
        ? { type }
        : undefined
    }, 'serialNumConfig'),
  ),
  warning(
    'entity.E067',
    serial(
      (options) =>
        isCustom(options) && options.serialNumConfig.filter(({ type }) => type === 1).length > 1
          ? true
          : undefined,
      'serialNumConfig',
    ),
  ),
]
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const buttonChecks: readonly Check[] = [
  error('entity.E080', ({ definition: { buttons } }) =>
    buttons
      .filter(({ code }, index) => buttons.findIndex((other) => other.code === code) < index)
      .map(({ code, name }) => ({
        path: `buttons.${code}.code`,
        params: { label: name, value: code },
      })),
  ),
  error(
    'entity.E081',
    eachButton('positionExp', ({ positionExp }) => expressionFault(positionExp)),
  ),
  error(
    'entity.E082',
    eachButton('positionExp', ({ positionExp }, subject) =>
      positionExp === null ||
      positionExp.trim() === '' ||
      expressionFault(positionExp) !== undefined
        ? undefined
        : listRowNames(parseExpression(positionExp)).find((name) => !rowHas(subject, name)),
    ),
  ),
  error(
    'entity.E083',
    eachButton(
      'eventContent',
      (button, { byName }) =>
        listButtonActions(button).flatMap((action) =>
          action.do === 'setField' && (byName.get(action.attrName)?.isEdit ?? 0) !== 1
            ? [action.attrName]
            : [],
        )[0],
    ),
  ),
  error(
    'entity.E084',
    eachButton(
      'eventContent',
      (button, { context, definition }) =>
        listButtonActions(button).flatMap((action) =>
          action.do === 'request' &&
          context.entityOf !== null &&
          action.tag !== definition.tag &&
          context.entityOf(action.tag) === undefined
            ? [action.tag]
            : [],
        )[0],
    ),
  ),
  error(
    'entity.E085',
    eachButton(
      'eventContent',
      (button) =>
        listButtonActions(button).flatMap((action) =>
          action.do === 'open' && !(action.to.startsWith('/') && isSafeAddress(action.to))
            ? [action.to]
            : [],
        )[0],
    ),
  ),
  warning(
    'entity.E086',
    eachButton('eventContent', (button) =>
      button.eventType === 1 &&
      typeof button.eventContent !== 'string' &&
      listButtonActions(button).length === 0
        ? button.code
        : undefined,
    ),
  ),
  warning(
    'entity.E087',
    eachButton('eventType', ({ eventType, code }) => (eventType === 2 ? code : undefined)),
  ),
  error(
    'entity.E088',
    eachButton('eventContent', (button, subject) =>
      listButtonActions(button)
        .flatMap(listActionTexts)
        .map((text) => unknownPlaceholder(text, subject))
        .find((name) => name !== undefined),
    ),
  ),
  error(
    'entity.E089',
    eachButton('positionExp', ({ positionExp }) =>
      positionExp === null ||
      positionExp.trim() === '' ||
      expressionFault(positionExp) !== undefined
        ? undefined
        : findUnknownRoot(parseExpression(positionExp)),
    ),
  ),
  error(
    'entity.E094',
    eachButton('eventContent', ({ eventType, eventContent, code }) =>
      eventType === 1 && typeof eventContent === 'string' ? code : undefined,
    ),
  ),
]
const linkChecks: readonly Check[] = [
  error(
    'entity.E090',
    eachField('linkUrl', ({ linkType, linkUrl }) =>
      linkType !== linkTypes.none && (linkUrl ?? '').trim() === '' ? true : undefined,
    ),
  ),
  error(
    'entity.E091',
    eachField('linkUrl', ({ linkType, linkUrl }) =>
      linkType === linkTypes.link && (linkUrl ?? '').trim() !== '' && !isSafeUrl(linkUrl ?? '')
        ? { value: linkUrl ?? '' }
        : undefined,
    ),
  ),
  error(
    'entity.E092',
    eachField('linkUrl', ({ linkType, linkUrl }, subject) => {
      const name =
        linkType === linkTypes.link ? unknownPlaceholder(linkUrl ?? '', subject) : undefined
      return name === undefined ? undefined : { name }
    }),
  ),
  error(
    'entity.E093',
    eachField('linkUrl', ({ linkType, linkUrl }, { definition }) =>
      linkType === linkTypes.event &&
      (linkUrl ?? '').trim() !== '' &&
      !definition.buttons.some(({ code }) => code === linkUrl)
        ? { name: linkUrl ?? '' }
        : undefined,
    ),
  ),
]
export const behaviourChecks: readonly Check[] = [...serialChecks, ...buttonChecks, ...linkChecks]

function measureSegment(segment: SerialSegment): number {
  return segment.type === 1
    ? segment.length
    : segment.type === 2
      ? ([4, 6, 8][segment.format - 1] ?? 8)
      : segment.text.length
}

/** A counter that restarts each period repeats numbers unless they include the period's date. */
function repeats(segments: readonly SerialSegment[]): boolean {
  const dated = Math.max(0, ...segments.map((segment) => (segment.type === 2 ? segment.format : 0)))
  return segments.some((segment) => segment.type === 1 && reset[segment.period] > dated)
}

function serial(
  wrong: (
    options: EntityOptions,
    subject: Subject,
  ) => Readonly<Record<string, string | number>> | true | undefined,
  part: keyof EntityOptions,
) {
  return (subject: Subject): Fault[] => {
    const { options } = subject.definition
    if (options.serialNumType === null) return []
    const found = wrong(options, subject)
    return found === undefined
      ? []
      : [
          {
            path: `options.${part}`,
            ...(options.serialNumField === null ? {} : { attrName: options.serialNumField }),
            ...(found === true ? {} : { params: found }),
          },
        ]
  }
}

function serialField({ serialNumField }: EntityOptions, { byName }: Subject) {
  return serialNumField === null ? undefined : byName.get(serialNumField)
}

function eachButton(
  part: keyof Button,
  wrong: (button: Button, subject: Subject) => string | undefined,
) {
  return (subject: Subject): Fault[] =>
    subject.definition.buttons.flatMap((button) => {
      const value = wrong(button, subject)
      return value === undefined
        ? []
        : [{ path: `buttons.${button.code}.${part}`, params: { label: button.name, value } }]
    })
}

function expressionFault(source: string | null): string | undefined {
  if (source === null || source.trim() === '') return undefined
  try {
    parseExpression(source)
    return undefined
  } catch (fault) {
    if (fault instanceof ExpressionError) return String(fault.at + 1)
    throw fault
  }
}

function listButtonActions({ eventContent }: Button): readonly ButtonAction[] {
  return Array.isArray(eventContent) ? eventContent : []
}

/** Every row has an id and a version, whatever its fields. */
function rowHas({ definition, byName }: Subject, name: string) {
  return byName.has(name) || ['id', 'version', definition.idField].includes(name)
}

function unknownPlaceholder(text: string, subject: Subject) {
  return placeholders(text).find((name) => !rowHas(subject, name))
}

function listActionTexts(action: ButtonAction): readonly string[] {
  switch (action.do) {
    case 'open':
      return [action.to]
    case 'message':
      return [action.text]
    case 'request':
      return [action.id ?? '', ...Object.values(action.values ?? {}).map(String)]
    case 'setField':
      return [String(action.value ?? '')]
    case 'refresh':
      return []
  }
}

/** A link that consists of a value only is checked when the value is stored. */
function isSafeUrl(url: string) {
  return /^\{\w+\}$/.test(url) || isSafeAddress(url)
}
