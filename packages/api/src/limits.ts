/** Business constants with their sources. Times are in milliseconds. */
export const limits = {
  pageSize: 10, // docs/spec/1-entity-console.md §9
  pageSizes: [10, 20, 30, 50, 300], // docs/spec/2-student-service-and-designer.md §9
  pagerCount: 7, // docs/spec/2-student-service-and-designer.md §9
  maxPageSize: 1000, // docs/rules/contract.md#envelope
  hiddenPaginationSize: 1000, // docs/spec/1-entity-console.md §9
  maxSorts: 5, // docs/rules/contract.md#envelope
  maxQueries: 30, // docs/rules/contract.md#envelope
  maxWhereLeaves: 30, // docs/rules/contract.md#lists
  maxWhereDepth: 3, // docs/rules/contract.md#lists
  maxFooters: 20,
  printCopies: 20, // copies of one document at the counter
  printRows: 2_000, // rows of a list on paper
  maxGroups: 500,
  maxTableFigures: 6,
  maxTableConditions: 5,
  tableHeads: 60, // columns of a cross table
  tableGroups: 20_000, // groups of an exported table
  chartBars: 40, // groups in one chart
  maxInValues: 500, // values of one condition, docs/rules/contract.md#entity-data
  /** Accounts that one call makes. */
  newAccounts: 100,
  maxDeleteIds: 500, // docs/rules/contract.md#entity-data
  maxChosenIds: 5_000, // fits a body of 1 MB
  bulkRows: 100_000, // rows of one bulk change
  bulkTogether: 10_000, // with `abort`: a single transaction blocks the embedded database
  bulkTyped: 1_000, // above it the user confirms by typing the number
  bulkCells: 100, // changed cells in the preview
  gridBlock: 100, // rows that a grid loads at once
  gridBlocks: 100, // blocks that a grid keeps
  gridWhole: 5_000, // rows that a grid reads to copy, change or match them
  gridBatch: 20, // rows of one round of saves
  gridDirect: 50, // rows; a change of more goes through a preview and a job
  gridRetry: 5_000, // after a save without an answer
  gridPoll: 300, // between two polls of a paste's job
  gridHistory: 100, // undo steps
  treeDepth: 8, // levels
  treePage: 200, // children per page
  treeHits: 200, // results of a search
  treeSiblings: 500, // siblings that can be reordered by hand
  viewsPerPlace: 50, // saved views per entity and user, role or everyone
  viewName: 60, // characters
  viewBytes: 16_384, // content of a view
  viewColumns: 200,
  columnWidth: { least: 60, most: 800 }, // pixels
  jsonBytes: 1_048_576, // docs/rules/contract.md#envelope
  adoptBytes: 64 * 1024 * 1024, // definitions of a whole schema
  adoptTables: 2_000, // definitions saved at once
  jsonDepth: 20, // docs/rules/contract.md#envelope
  lookupPageSize: 10, // docs/spec/1-entity-console.md §9
  lookupPagerCount: 5, // docs/spec/1-entity-console.md §9
  selectionColumnWidth: 60, // docs/spec/1-entity-console.md §9, pixels
  formLabelWidth: 150, // docs/spec/1-entity-console.md §9, pixels
  sidebarWidth: 210, // docs/spec/2-student-service-and-designer.md §9, pixels
  collapseQueryAbove: 6, // docs/spec/2-student-service-and-designer.md §9, query fields
  directRowButtons: 3, // docs/spec/2-student-service-and-designer.md §9; above it two, the others in a menu
  refreshThreshold: 300_000, // docs/spec/1-entity-console.md §9
  requestTimeout: 20_000, // docs/spec/1-entity-console.md §9
  transferTimeout: 300_000, // docs/spec/2-student-service-and-designer.md §9, export
  toast: 1_500, // docs/spec/1-entity-console.md §9
  lastingToast: 5_000, // docs/spec/1-entity-console.md §9, older client
  undoToast: 6_000, // with a way to take back what it says
  smsLock: 60_000, // docs/spec/2-student-service-and-designer.md §9
  payWindow: 180_000, // docs/spec/2-student-service-and-designer.md §9
  payPoll: 1_000, // docs/spec/2-student-service-and-designer.md §9
  successPause: 30_000, // docs/spec/2-student-service-and-designer.md §9
  clockTick: 500, // docs/spec/2-student-service-and-designer.md §9
  scrollToTop: 800, // docs/spec/2-student-service-and-designer.md §9
  lookupDebounce: 300,
  searchKey: 100, // characters of a search over all entities
  searchHits: 6, // records of one entity that it answers
  searchTitles: 20, // records named by one call
  recentRecords: 8, // that a browser remembers
  designCheckPause: 600, // after the last edit, before a definition is checked
  designHistory: 100, // undo steps
  jobPoll: 700, // between two polls of a job
  jobRetry: 3_000, // after a poll that failed
  reviewPageSize: 20,
  historyPageSize: 5,
  attachmentBytes: 20 * 1024 * 1024, // docs/rules/security.md#f2
  imageBytes: 5 * 1024 * 1024, // docs/rules/security.md#f2
  attachmentsPerRow: 50, // docs/rules/security.md#f2
  reasonLength: 200, // characters
  entryAdd: 500, // records whose rows one call adds to an entry sheet
  reasonShortest: 4, // characters, docs/rules/security.md#d5
  importColumns: 1_000, // docs/rules/security.md#files
  importBytes: 20 * 1024 * 1024, // docs/rules/security.md#files, compressed
  importErrors: 100, // docs/rules/contract.md#entity-data, listed on the job
} as const

/** Tenant of the first installation (docs/spec/1-entity-console.md §9). */
export const defaultTenant = '10000'
/**
 * Theme colours offered by the settings panel; the first is the default
 * (docs/spec/1-entity-console.md §9, docs/spec/2-student-service-and-designer.md §9).
 */
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
/**
 * Includes every permission; the server grants it to ROLE_ADMIN only
 * (docs/spec/1-entity-console.md §6).
 */
export const allPermission = 'ALL_PERMISSION'
/** The administrator's role (docs/spec/1-entity-console.md §6). */
export const adminRole = 'ROLE_ADMIN'
/**
 * Public client id of the console: a label that authorises nothing
 * (docs/rules/contract.md#sessions).
 */
export const consoleClient = 'console:console'
