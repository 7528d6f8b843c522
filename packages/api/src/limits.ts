/** Business constants, each citing where it is asked for. Times in milliseconds unless the name says otherwise. */
export const limits = {
  pageSize: 10, // docs/spec/1-entity-console.md §9
  pageSizes: [10, 20, 30, 50, 300], // docs/spec/2-student-service-and-designer.md §9
  pagerCount: 7, // docs/spec/2-student-service-and-designer.md §9
  maxPageSize: 1000, // docs/rules/contract.md#envelope
  hiddenPaginationSize: 1000, // docs/spec/1-entity-console.md §9
  maxSorts: 5, // docs/rules/contract.md#envelope
  maxQueries: 30, // docs/rules/contract.md#envelope
  maxDeleteIds: 500, // docs/rules/contract.md#entity-data
  maxChosenIds: 5_000, // ids that name rows in a body of 1 MB
  bulkRows: 100_000, // what one bulk change may take on
  bulkTogether: 10_000, // and what it may change all or nothing: one transaction holds the embedded database
  bulkTyped: 1_000, // above it the number is typed before anything is changed
  bulkCells: 100, // changed cells shown beforehand
  treeDepth: 8, // levels of a tree
  treePage: 200, // rows right below one, at a time
  treeHits: 200, // rows a search of a tree shows
  treeSiblings: 500, // rows that can be put in order by hand
  viewsPerPlace: 50, // saved views of a person, a role or everyone, for one entity
  viewName: 60, // characters
  viewBytes: 16_384, // what one holds
  viewColumns: 200,
  columnWidth: { least: 60, most: 800 }, // pixels a person may give a column
  jsonBytes: 1_048_576, // docs/rules/contract.md#envelope
  jsonDepth: 20, // docs/rules/contract.md#envelope
  lookupPageSize: 10, // docs/spec/1-entity-console.md §9
  lookupPagerCount: 5, // docs/spec/1-entity-console.md §9
  selectionColumnWidth: 60, // docs/spec/1-entity-console.md §9, pixels
  formLabelWidth: 150, // docs/spec/1-entity-console.md §9, pixels
  sidebarWidth: 210, // docs/spec/2-student-service-and-designer.md §9, pixels
  collapseQueryAbove: 6, // docs/spec/2-student-service-and-designer.md §9, query fields
  directRowButtons: 3, // docs/spec/2-student-service-and-designer.md §9; above it two and a "more" menu
  refreshThreshold: 300_000, // docs/spec/1-entity-console.md §9
  requestTimeout: 20_000, // docs/spec/1-entity-console.md §9
  transferTimeout: 300_000, // docs/spec/2-student-service-and-designer.md §9, export
  toast: 1_500, // docs/spec/1-entity-console.md §9
  lastingToast: 5_000, // docs/spec/1-entity-console.md §9, older client
  smsLock: 60_000, // docs/spec/2-student-service-and-designer.md §9
  payWindow: 180_000, // docs/spec/2-student-service-and-designer.md §9
  payPoll: 1_000, // docs/spec/2-student-service-and-designer.md §9
  successPause: 30_000, // docs/spec/2-student-service-and-designer.md §9
  clockTick: 500, // docs/spec/2-student-service-and-designer.md §9
  lookupDebounce: 300,
  designCheckPause: 600, // a definition is checked once the hand rests
  designHistory: 100, // steps that can be undone
  jobPoll: 700, // how often a job is asked how far it is
  jobRetry: 3_000, // and how soon again when nobody answered
  reviewPageSize: 20,
  historyPageSize: 5,
  attachmentBytes: 20 * 1024 * 1024, // docs/rules/security.md#f2
  imageBytes: 5 * 1024 * 1024, // docs/rules/security.md#f2
  attachmentsPerRow: 50, // docs/rules/security.md#f2
  importColumns: 100, // docs/rules/security.md#files
  importBytes: 20 * 1024 * 1024, // docs/rules/security.md#files, packed
  importErrors: 100, // docs/rules/contract.md#entity-data, errors listed on the job itself
} as const

/** Tenant of the first installation (docs/spec/1-entity-console.md §9). */
export const defaultTenant = '10000'
/** Theme colours offered by the settings panel; the first is the default (docs/spec/1-entity-console.md §9, docs/spec/2-student-service-and-designer.md §9). */
export const themeColours = [
  '#1890ff',
  '#304156',
  '#11a983',
  '#13c2c2',
  '#6959cd',
  '#f5222d',
  '#eb2f96',
  '#fa8c16',
] as const
/** Granted by the server to ROLE_ADMIN only; satisfies every permission check (docs/spec/1-entity-console.md §6). */
export const allPermission = 'ALL_PERMISSION'
/** The administrator's role (docs/spec/1-entity-console.md §6). */
export const adminRole = 'ROLE_ADMIN'
/** Public client id of the console: a label, never an authorisation factor (docs/rules/contract.md#sessions). */
export const consoleClient = 'console:console'
