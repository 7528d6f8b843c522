// What a custom SQL may be made of (security I3). Everything else is refused: there is no black list.

/** Nodes of the parser's tree that only read and compute. */
export const nodes: ReadonlySet<string> = new Set([
  'SelectStmt', 'ResTarget', 'ColumnRef', 'A_Star', 'String', 'Integer', 'Float', 'Boolean', 'A_Const', 'A_Expr', 'BoolExpr', 'NullTest', 'BooleanTest', 'FuncCall', 'TypeCast', 'TypeName', 'ParamRef', 'List',
  'RangeVar', 'RangeSubselect', 'JoinExpr', 'Alias', 'SortBy', 'CaseExpr', 'CaseWhen', 'CoalesceExpr', 'MinMaxExpr', 'SubLink', 'WithClause', 'CommonTableExpr', 'A_ArrayExpr', 'SQLValueFunction', 'WindowDef', 'RowExpr',
])
/** Keys of a SelectStmt and of a CTE that write, lock or loop. */
export const refusedKeys: ReadonlySet<string> = new Set(['intoClause', 'lockingClause', 'recursive', 'search_clause', 'cycle_clause', 'tableSample'])
export const functions: ReadonlySet<string> = new Set([
  'count', 'sum', 'avg', 'min', 'max', 'string_agg', 'array_agg', 'bool_and', 'bool_or',
  'lower', 'upper', 'trim', 'btrim', 'ltrim', 'rtrim', 'length', 'char_length', 'left', 'right', 'substr', 'substring', 'replace', 'concat', 'concat_ws', 'position', 'strpos', 'split_part', 'reverse', 'initcap', 'to_char', 'to_number', 'to_date',
  'abs', 'round', 'ceil', 'floor', 'mod', 'power', 'sign', 'greatest', 'least', 'coalesce', 'nullif',
  'now', 'date_trunc', 'date_part', 'extract', 'age', 'make_date', 'row_number', 'rank', 'dense_rank', 'any_value',
])
export const types: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool', 'date', 'timestamp', 'timestamptz', 'time', 'interval', 'uuid'])
/** `current_date` and the like; `current_user` and its kin say who the server is. */
export const valueFunctions: ReadonlySet<string> = new Set(['SVFOP_CURRENT_DATE', 'SVFOP_CURRENT_TIMESTAMP', 'SVFOP_LOCALTIMESTAMP', 'SVFOP_CURRENT_TIME', 'SVFOP_LOCALTIME'])
/** Operators are looked up by the database by name: only the plain ones. */
export const operators: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/', '%', '||', '~~', '!~~', '~~*', '!~~*', 'BETWEEN', 'NOT BETWEEN', 'BETWEEN SYMMETRIC', 'NOT BETWEEN SYMMETRIC', 'IN', 'NOT IN'])
/** Values the server gives; a cascade's parents are added by their attrName. */
export const ownBinds = ['userId', 'account', 'orgId', 'tenant', 'searchKey', 'today'] as const
/** Security I3 and C8. */
export const sqlLimits = { characters: 4000, rows: 1000, cost: 100_000, milliseconds: 2000 } as const
