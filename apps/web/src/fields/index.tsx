import { toQueryOperator, type UiType } from '@jiaowu/api/entity/enums'
import { Suspense } from 'react'
import { Loading } from '../ui/resource/page-state.tsx'
import {
  ChoiceCell,
  HtmlShow,
  ImageCell,
  ImageShow,
  NoCell,
  NumberCell,
  NumberShow,
  StarsCell,
  SwitchCell,
  TagsCell,
  TextCell,
  TextShow,
} from './cells.tsx'
import {
  CheckboxControl,
  PickerControl,
  PickerQuery,
  RadioControl,
  RateControl,
  SwitchControl,
  SwitchQuery,
} from './choices/choice-controls.tsx'
import {
  DateControl,
  DateQuery,
  DateTimeControl,
  DateTimeQuery,
  TimeControl,
  TimeQuery,
  YearControl,
  YearQuery,
} from './date-controls.tsx'
import type { ControlProps, FieldSurface, QueryProps } from './field-types.ts'
import { ImagesControl } from './images.tsx'
import { WrongType } from './wrong-type.tsx'
import {
  NumberControl,
  PasswordControl,
  RangeQuery,
  TextAreaControl,
  TextControl,
  TextQuery,
} from './text-controls.tsx'
import { lazyPart } from '../ui/lazy-part.ts'

const RichText = lazyPart(() => import('./rich-text.tsx').then((module) => module.RichText))
const Separator = () => <hr className="jw-separator" />
const NoQuery = () => null

const text = { Query: TextQuery, Cell: TextCell, Show: TextShow }
const picker: FieldSurface = {
  Control: PickerControl,
  Query: PickerQuery,
  Cell: ChoiceCell,
  Show: TextShow,
}
const several: FieldSurface = { ...picker, Cell: TagsCell, Show: TagsCell }
const layout = { Query: NoQuery, Cell: NoCell, Show: Separator }

/** How the web draws each field kind (docs/rules/design.md#field-kinds). */
const fieldSurfaces = {
  input: { ...text, Control: TextControl },
  textarea: { ...text, Control: TextAreaControl },
  password: { Control: PasswordControl, Query: NoQuery, Cell: NoCell, Show: NoCell },
  inputNumber: {
    Control: NumberControl,
    Query: NumberQuery,
    Cell: NumberCell,
    Show: NumberShow,
  },
  select: picker,
  multiSelect: several,
  checkbox: { ...several, Control: CheckboxControl },
  radio: { ...picker, Control: RadioControl },
  switch: { Control: SwitchControl, Query: SwitchQuery, Cell: SwitchCell, Show: SwitchCell },
  date: { ...text, Control: DateControl, Query: DateQuery },
  datetime: { ...text, Control: DateTimeControl, Query: DateTimeQuery },
  year: { ...text, Control: YearControl, Query: YearQuery },
  time: { ...text, Control: TimeControl, Query: TimeQuery },
  rate: { Control: RateControl, Query: NumberQuery, Cell: StarsCell, Show: StarsCell },
  selectTree: picker,
  multiSelectTree: several,
  group: { ...layout, Control: NoCell },
  separate: { ...layout, Control: Separator },
  uploadImg: { Control: ImagesControl, Query: NoQuery, Cell: ImageCell, Show: ImageShow },
  richTextEditor: { ...text, Control: RichTextControl, Show: HtmlShow },
} as const satisfies Record<UiType, FieldSurface>

function NumberQuery(props: QueryProps) {
  return toQueryOperator(props.field.queryType) === 'between' ? (
    <RangeQuery {...props} />
  ) : (
    <TextQuery {...props} />
  )
}

function RichTextControl(props: ControlProps) {
  return (
    <Suspense fallback={<Loading />}>
      <RichText {...props} />
    </Suspense>
  )
}

// A page loaded before a server upgrade can receive a kind it does not know
// (docs/spec/1-entity-console.md §5).
const unknownKind: FieldSurface = { Control: NoCell, Query: NoQuery, Cell: NoCell, Show: WrongType }

export function findFieldSurface(uiType: UiType): FieldSurface {
  return (fieldSurfaces as Readonly<Partial<Record<UiType, FieldSurface>>>)[uiType] ?? unknownKind
}
