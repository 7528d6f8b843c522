export { adoptTablesApiPorts } from './adopt-tables/api-ports.ts'
export {
  type AdoptTablesContext,
  type AdoptTablesEmitted,
  type AdoptTablesEvent,
  adoptTablesMachine,
} from './adopt-tables/machine.ts'
export {
  adoptTablesActors,
  type AdoptTablesAsked,
  type AdoptTablesPorts,
} from './adopt-tables/ports.ts'
export { type AdoptRow, type AdoptTablesView, adoptTablesView } from './adopt-tables/view.ts'
export {
  type BulkEditContext,
  type BulkEditEmitted,
  type BulkEditEvent,
  type BulkEditInput,
  bulkEditMachine,
} from './bulk-edit/machine.ts'
export {
  type BulkApply,
  bulkEditActors,
  type BulkEditPorts,
  type BulkResult,
  type BulkStart,
} from './bulk-edit/ports.ts'
export { type BulkEditStep, type BulkEditView, bulkEditView } from './bulk-edit/view.ts'
export { type ButtonEffect, declaredActions, effectOf, requestOf } from './buttons/actions.ts'
export {
  type ButtonsContext,
  type ButtonsEmitted,
  type ButtonsEvent,
  buttonsMachine,
} from './buttons/machine.ts'
export { patternName, recordName } from './buttons/question.ts'
export { buttonsActors, type ButtonRequest, type ButtonsPorts } from './buttons/ports.ts'
export { type ButtonsView, buttonsView, shownButtons } from './buttons/view.ts'
export { type CountdownInput, countdownMachine } from './countdown/machine.ts'
export { designerMachine } from './designer/machine.ts'
export {
  designerActors,
  type DesignData,
  type DesignerPorts,
  type DesignTarget,
} from './designer/ports.ts'
export type {
  DesignerContext,
  DesignerEdit,
  DesignerEmitted,
  DesignerEvent,
  DesignerInput,
  PreviewKind,
} from './designer/types.ts'
export {
  type DesignColumnView,
  type DesignerView,
  designerView,
  type DesignFieldView,
  type StalePartView,
} from './designer/view.ts'
export {
  type CustomField,
  type Draft,
  type EntityPatch,
  type Flag,
  isCustomValid,
  segmentOf,
  suggestedName,
} from './designer/draft.ts'
export { jsonIndent, jsonOf, readJson } from './designer/edit.ts'
export type { Part, Side as DesignSide } from './designer/merge.ts'
export {
  type DownloadContext,
  type DownloadEmitted,
  type DownloadEvent,
  type DownloadInput,
  type PayMethod,
  type ReportFilter,
  type ReportFilters,
} from './download/context.ts'
export { downloadMachine, downloadWith } from './download/machine.ts'
export {
  downloadActors,
  type DownloadFacts,
  type DownloadPorts,
  type PayOrder,
  type ReportRef,
} from './download/ports.ts'
export { downloadBack, downloadDepth, downloadForward } from './download/steps.ts'
export {
  downloadCountdown,
  type DownloadScreen,
  type DownloadView,
  downloadView,
  type PayFailure,
} from './download/view.ts'
export {
  type EntityFormContext,
  type EntityFormEmitted,
  type EntityFormEvent,
  type EntityFormInput,
  entityFormMachine,
  type Side,
} from './entity-form/machine.ts'
export { entityFormApiPorts } from './entity-form/api-ports.ts'
export {
  entityFormActors,
  type EntityFormPorts,
  type FormData,
  type SaveInput,
} from './entity-form/ports.ts'
export {
  type EntityFormView,
  entityFormView,
  type FormFieldView,
  type FormGroupView,
  type StaleFieldView,
} from './entity-form/view.ts'
export type { FormPerson } from './entity-form/values.ts'
export {
  knownPart,
  type Query,
  queryOfAddress,
  queryValue,
  readCondition,
  type Reading,
  readSorts,
  splitCondition,
  withView,
  wordsOf,
} from './entity-list/conditions/conditions.ts'
export type {
  EntityListContext,
  EntityListEmitted,
  EntityListEvent,
  EntityListInput,
} from './entity-list/context.ts'
export {
  isPresetAddress,
  isSameList,
  type ListAddress,
  readAddress,
  viewOfAddress,
  writeAddress,
} from './entity-list/address.ts'
export {
  conditionLabel,
  nameInRows,
  type ShownCondition,
  shownConditions,
  type ShownLeaf,
  shownLeaves,
} from './entity-list/conditions/shown-conditions.ts'
export {
  canGroup,
  figuresFor,
  figureText,
  fits,
  groupName,
  hasUnits,
} from './entity-list/figures.ts'
export type { Section } from './entity-list/groups.ts'
export { rowsQueryOf } from './entity-list/query.ts'
export { leavesOf, withLeaf, withoutLeaf } from './entity-list/conditions/where.ts'
export {
  type DraftGroup,
  draftOfWhere,
  type GroupPath,
  leafCount,
  filterFields,
  hasPeriods,
  hasTerms,
  type Joint,
  operatorsFor,
  type WhereDraft,
  whereOfDraft,
  withGroup,
  withTerm,
} from './entity-list/conditions/where-draft.ts'
export { cellLeaf, type CellStep } from './entity-list/conditions/cell-leaf.ts'
export { isLow, shownNumber } from './shown-number.ts'
export { entityListMachine } from './entity-list/machine.ts'
export {
  importModesOf,
  type ListRights,
  type ListUser,
  type RowAction,
  rowActions,
  toolbarButtons,
} from './entity-list/rights.ts'
export {
  type ButtonPress,
  entityListActors,
  type EntityListPorts,
  type ExportRequest,
  type Pressing,
  type Undo,
  type UndoChange,
} from './entity-list/ports.ts'
export { type EntityListView, entityListView, sectionsIn } from './entity-list/view.ts'
export type { Chosen } from './entity-list/query.ts'
export { gridApiPorts, type Wait } from './grid-edit/api-ports.ts'
export type { NewIds } from './grid-edit/save-rows.ts'
export {
  type Block,
  formatBlock,
  htmlOfBlock,
  parseBlock,
  pastedBlock,
} from './grid-edit/clipboard/clipboard.ts'
export type {
  GridContext,
  GridEmitted,
  GridEvent,
  GridHistory,
  GridInput,
  GridQuery,
  KeptEdits,
  PasteCheck,
  PasteDraft,
  PasteRow,
  Settlement,
  RowWrite,
} from './grid-edit/context.ts'
export { parseHtmlTable } from './grid-edit/clipboard/html-table.ts'
export { openLines } from './grid-edit/matching/draft.ts'
export { lineMessage, matchNames } from './grid-edit/matching/words.ts'
export { gridEditMachine } from './grid-edit/machine.ts'
export { keptEdits } from './grid-edit/unsaved/kept.ts'
export type { UnsavedRow } from './grid-edit/unsaved/unsaved.ts'
export { selectedBlock } from './grid-edit/clipboard/paste.ts'
export { edgeOfData, rowCount as gridRowCount } from './grid-edit/selection/places.ts'
export { gridActors, type GridPorts, type RowSave, type SaveAnswer } from './grid-edit/ports.ts'
export {
  type GridCell,
  gridCell,
  type GridConflict,
  type GridEditView,
  gridEditView,
  gridRow,
  gridValues,
  type LineView,
  type MatchView,
} from './grid-edit/view.ts'
export { firstLine, type TreeLine, treeLines } from './lookup/lines.ts'
export {
  type LookupChosen,
  type LookupContext,
  type LookupEvent,
  type LookupInput,
  lookupMachine,
} from './lookup/machine.ts'
export { findLocally, lookupActors, type LookupPorts, type LookupQuestion } from './lookup/ports.ts'
export { type LookupView, lookupView } from './lookup/view.ts'
export { type Notice, noticesActors, type NoticesPorts } from './notices/ports.ts'
export { type NoticesContext, type NoticesEvent, noticesMachine } from './notices/machine.ts'
export { type NoticesView, noticesView } from './notices/view.ts'
export { actorsOf, type ActorsOf, type Port, unprovided } from './port.ts'
export {
  printPreviewMachine,
  type PrintPreviewContext,
  type PrintPreviewEmitted,
  type PrintPreviewEvent,
} from './print-preview/machine.ts'
export {
  printPreviewActors,
  type PrintPreviewPorts,
  type PrintSubject,
} from './print-preview/ports.ts'
export { type PrintPreviewView, printPreviewView } from './print-preview/view.ts'
export {
  type RegisterContext,
  type RegisterEmitted,
  type RegisterEvent,
  type RegisterField,
  registerMachine,
  registerWith,
} from './register/machine.ts'
export { registerActors, type RegisterPorts, type Registration } from './register/ports.ts'
export { type RegisterView, registerView } from './register/view.ts'
export {
  type ActionResult,
  type QueuedAction,
  type ResourceContext,
  type ResourceEmitted,
  type ResourceEvent,
  type ResourceInput,
  resourceMachine,
} from './resource/machine.ts'
export { type ActionRequest, resourceActors, type ResourcePorts } from './resource/ports.ts'
export { type ResourceView, resourceView } from './resource/view.ts'
export { entryApiPorts } from './entry-sheet/api-ports.ts'
export {
  type EntryContext,
  type EntryEmitted,
  type EntryEvent,
  type EntryInput,
  entrySheetMachine,
} from './entry-sheet/machine.ts'
export {
  entryActors,
  type EntryBy,
  type EntryPorts,
  type SheetQuestion,
} from './entry-sheet/ports.ts'
export { type EntryView, entryView } from './entry-sheet/view.ts'
export { revealApiPorts } from './reveal/api-ports.ts'
export {
  type RevealContext,
  type RevealEvent,
  type RevealInput,
  revealMachine,
} from './reveal/machine.ts'
export { revealActors, type RevealedValue, type RevealPorts } from './reveal/ports.ts'
export { type RevealView, revealView } from './reveal/view.ts'
export { createSessionGate } from './session/session-gate.ts'
export type { SessionContext, SessionEmitted, SessionEvent } from './session/context.ts'
export { sessionMachine } from './session/machine.ts'
export {
  type Issued,
  type Profile,
  sessionActors,
  type SessionFacts,
  type SessionPorts,
  type SignInInput,
} from './session/ports.ts'
export { type SessionView, sessionView } from './session/view.ts'
export {
  type SignInField,
  signInMachine,
  signInWith,
  type StudentSignInContext,
  type StudentSignInEmitted,
  type StudentSignInEvent,
  type StudentSignInInput,
} from './sign-in/machine.ts'
export { signInActors, type StudentSignInPorts } from './sign-in/ports.ts'
export { signInView, type StudentSignInView } from './sign-in/view.ts'
export {
  type SmsCodeContext,
  type SmsCodeEmitted,
  type SmsCodeEvent,
  type SmsCodeInput,
  smsCodeMachine,
} from './sms-code/machine.ts'
export {
  type CaptchaPicture,
  smsCodeActors,
  type SmsCodePorts,
  type SmsFacts,
} from './sms-code/ports.ts'
export { type SmsCodeView, smsCodeView } from './sms-code/view.ts'
export {
  type Tag,
  type TagsEmitted,
  type TagsEvent,
  type TagsFacts,
  type TagsInput,
  tagsMachine,
} from './tags/machine.ts'
export { type TagsView, tagsView, type TagView } from './tags/view.ts'
export {
  type Assignment,
  fileFault,
  formatOf,
  type ImportChoices,
  mendBody,
} from './transfer/choices.ts'
export type {
  TransferContext,
  TransferEmitted,
  TransferEvent,
  TransferInput,
} from './transfer/context.ts'
export { transferMachine } from './transfer/machine.ts'
export {
  type FileFacts,
  type Recalled,
  type ResumeRequest,
  type ReviewRows,
  type RowsRequest,
  type SaveRequest,
  type SheetRequest,
  type SheetSaved,
  transferActors,
  type TransferPorts,
  type UploadRequest,
} from './transfer/ports.ts'
export { decodedAs, encodingLabel } from './transfer/reading.ts'
export { transferStage, transferStages } from './transfer/stages.ts'
export {
  type ColumnView,
  type ReviewView,
  type TransferStep,
  type TransferView,
  transferView,
} from './transfer/view.ts'
export type { ViewDraft } from './views/choices.ts'
export type {
  ShownView,
  ViewsContext,
  ViewsEmitted,
  ViewsEvent,
  ViewsInput,
} from './views/context.ts'
export { viewsMachine } from './views/machine.ts'
export { type ViewSave, viewsActors, type ViewsPorts } from './views/ports.ts'
export { type ViewsView, viewsView } from './views/view.ts'
export { sameView } from './same-view.ts'
export { machines } from './table.ts'
