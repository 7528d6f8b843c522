import { group } from '../group.ts'

/** Drafts of tables from elsewhere. */
export const adoptTexts = group({
  'adopt.noText': [
    '类型 {type} 没有可以显示和填写的文本形式',
    'the type {type} has no text form to show or enter',
  ],
  'adopt.readOnly.view': [
    '这是视图，只能查看',
    'This is a view, so its rows can only be looked at',
  ],
  'adopt.readOnly.materialized': [
    '这是物化视图，只能查看',
    'This is a materialized view, so its rows can only be looked at',
  ],
  'adopt.readOnly.foreign': [
    '这是外部表，只能查看',
    'This is a foreign table, so its rows can only be looked at',
  ],
  'adopt.readOnly.noKey': [
    '表中没有主键，也没有非空的唯一索引，无法指明一行，因此只能查看；添加主键后即可编辑',
    'The table has neither a primary key nor a unique index of not-null columns, so no row can be named and rows can only be looked at; add a primary key to edit them',
  ],
  'adopt.readOnly.oddKey': [
    '唯一索引的列可以为空、只覆盖部分行，或其类型没有文本形式（如 bytea），无法指明一行，因此只能查看；添加主键后即可编辑',
    'Its unique indexes allow empty values, cover only some rows, or are on a type without a text form such as bytea, so no row can be named and rows can only be looked at; add a primary key to edit them',
  ],
  'adopt.readOnly.secretKey': [
    '主键像是密码或令牌，不能出现在地址中，因此只能查看；添加其他主键或非空的唯一索引后即可编辑',
    'Its key sounds like a password or token, which no address may hold, so rows can only be looked at; add another unique index of not-null columns to edit them',
  ],
  'adopt.readOnly.denied': [
    '数据库账号对该表没有写入权限，只能查看；需要 INSERT、UPDATE、DELETE 权限才能编辑',
    'The database role may only read the table; grant INSERT, UPDATE and DELETE to edit it',
  ],
  'adopt.note.denied': [
    '数据库账号没有这些操作的权限：{actions}',
    'The database role lacks the rights for: {actions}',
  ],
  'adopt.note.composite': [
    '由多列共同标识一行：{columns}；新增时填写，保存后不能修改',
    'Several columns name a row together: {columns}; they are entered when a row is added, and fixed afterwards',
  ],
  'adopt.note.kept': [
    '可由系统维护（需要您确认）：{columns}；确认后删除的行进入回收站，创建和修改的人与时间自动填写',
    'The server could keep these, if you say so: {columns}; deleted rows would then go to a recycle bin, and who made and changed a row and when would be filled in',
  ],
  'adopt.note.links': [
    '表中没有外键，按列名和已有数据可视为关系（需要您确认）：{columns}',
    'There is no foreign key; by their names and values these could be relations, if you say so: {columns}',
  ],
  'adopt.note.link': [
    '{column} → {table}（{values} 个值都在其中）',
    '{column} → {table} (all {values} values are there)',
  ],
  'adopt.note.unlisted': [
    '{column} 的注释列出的选项不含已有的值（{values}），因此未作为选项',
    'The list in the comment of {column} lacks values that rows hold ({values}), so it is no list of choices',
  ],
  'adopt.note.rules': [
    '表上有改写新增的规则（RULE），新增可能失败，或不能得知新行的编号；编辑和删除不受影响',
    'A rule of the table rewrites inserts, so adding a row may fail, or not tell the number of the new row; editing and deleting are as usual',
  ],
  'adopt.note.school': [
    '{column} 可作为学校编号（需要您确认）：确认后只显示本校（{tenant}）的 {rows} 行，新行写入本校编号；否则为普通字段，不隐藏任何行',
    '{column} could hold the school of a row, if you say so: only the {rows} rows of your school ({tenant}) would then be shown, and new rows would get its number; otherwise it is an ordinary field and hides no rows',
  ],
  'adopt.note.schoolKey': [
    '表的主键或分布列含有 {column}，其值为学校编号：各学校只看到、修改和导出本校的行，新行写入本校编号',
    'The key of the table, or what spreads it over a cluster, has {column}, which holds numbers of schools: each school sees, changes and exports its own rows only, and new rows get its number',
  ],
  'adopt.unknownRows': ['数目未知', 'uncounted'],
  'adopt.note.strangers': [
    '这些列按普通字段处理，不会隐藏任何行，也不会自动填写：{columns}',
    'These columns are ordinary fields, which hide no rows and are not filled by the server: {columns}',
  ],
  'adopt.note.unfilled': [
    '这些列不能为空，又没有字段填写：{columns}；在提供默认值之前不能新增',
    'No field fills these columns, which may not be empty: {columns}; rows cannot be added until they have a default',
  ],
  'adopt.note.triggers': [
    '这些列不能为空，由表上的触发器填写：{columns}',
    'Triggers of the table fill these columns, which may not be empty: {columns}',
  ],
  'adopt.note.compositeLink': [
    '外键（{columns}）由多列指向 {table}，只有合起来才能确定一条记录，按普通字段处理',
    'The foreign key ({columns}) points to {table} by several columns, none of which names a row by itself; they are ordinary fields',
  ],
  'adopt.note.besides': [
    '按 {column} 选择 {table} 的记录；外键中的其他列（{columns}）必须与所选记录一致',
    'A row of {table} is chosen by {column}; the other columns of the foreign key ({columns}) must be those of the chosen row',
  ],
  'adopt.note.noTarget': [
    '{column} 指向 {table}，该表还没有实体；一起引入后即可按名称选择',
    '{column} points to {table}, which has no entity yet; bring it in as well to choose its rows by name',
  ],
  'adopt.systemType': [
    '列 {column} 的类型 {type} 不能由系统维护，请从 options.systemColumns 中去掉',
    'The server cannot keep the column {column} of the type {type}; remove it from options.systemColumns',
  ],
  'adopt.tooMany': ['一次最多引入 {n} 张表', 'At most {n} tables can be brought in at once'],
  'adopt.noTables': ['所选模式中没有表', 'The chosen schemas have no tables'],
  'adopt.unknownSchema': [
    '模式 {schema} 不在可引入的范围内（设置 BUSINESS_SCHEMAS）：{known}',
    'The schema {schema} is not offered (setting BUSINESS_SCHEMAS): {known}',
  ],
  'adopt.noColumns': ['表中没有可以使用的列', 'The table has no column that can be used'],
  'adopt.note.passwords': [
    '像是密码，拥有该表的程序可能只保存其散列值，因此不显示也不填写，除非您确认按输入内容保存：{columns}',
    'These sound like passwords, of which the program that owns the table may store hashes only; they are neither shown nor entered unless you say that they are stored as typed: {columns}',
  ],
  'adopt.note.hashes': [
    '保存的是另一程序的密码散列值，因此不显示也不填写：{columns}',
    'These hold hashes of passwords by another program, so they are neither shown nor entered: {columns}',
  ],
  'adopt.sameTag': ['标识 {tag} 重复', 'The tag {tag} is used twice'],
})
