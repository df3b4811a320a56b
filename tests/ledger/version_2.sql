BEGIN TRANSACTION;
CREATE TABLE answer (
	id INTEGER NOT NULL, 
	"key" BLOB NOT NULL, 
	status TEXT NOT NULL, 
	text TEXT NOT NULL, 
	thinking TEXT NOT NULL, 
	finish_reason TEXT NOT NULL, 
	prompt_tokens INTEGER, 
	completion_tokens INTEGER, 
	cached_tokens INTEGER, 
	reasoning_tokens INTEGER, 
	latency FLOAT NOT NULL, 
	sent_id INTEGER, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key"), 
	FOREIGN KEY(sent_id) REFERENCES sent (id)
);
INSERT INTO "answer" VALUES(1,X'00000000000000000000000000000000','answered','yes, it''s','hm','stop',10,5,2,1,1.5,1,1700000007.0);
INSERT INTO "answer" VALUES(2,X'64646464646464646464646464646464','answered','1','','',NULL,NULL,NULL,NULL,0.0,NULL,1700000008.0);
CREATE TABLE batch (
	id INTEGER NOT NULL, 
	token TEXT NOT NULL, 
	model TEXT NOT NULL, 
	base_url TEXT NOT NULL, 
	owner_id INTEGER, 
	state TEXT NOT NULL, 
	file_id TEXT NOT NULL, 
	batch_id TEXT NOT NULL, 
	output_file_id TEXT NOT NULL, 
	error_file_id TEXT NOT NULL, 
	requests INTEGER NOT NULL, 
	completed INTEGER NOT NULL, 
	failed INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token)
);
INSERT INTO "batch" VALUES(1,'token','m','http://localhost/v1',1,'written','','','','',1,0,0,1700000009.0);
CREATE TABLE batch_request (
	"key" BLOB NOT NULL, 
	batch_id INTEGER NOT NULL, 
	sent TEXT NOT NULL, 
	PRIMARY KEY ("key"), 
	FOREIGN KEY(batch_id) REFERENCES batch (id)
)
 WITHOUT ROWID

;
INSERT INTO "batch_request" VALUES(X'02020202020202020202020202020202',1,'{"parameters":{}}');
CREATE TABLE claim (
	"key" BLOB NOT NULL, 
	owner_id INTEGER NOT NULL, 
	PRIMARY KEY ("key"), 
	FOREIGN KEY(owner_id) REFERENCES owner (id)
)
 WITHOUT ROWID

;
CREATE TABLE failure (
	id INTEGER NOT NULL, 
	"key" BLOB NOT NULL, 
	kind TEXT NOT NULL, 
	message TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "failure" VALUES(1,X'01010101010101010101010101010101','server','HTTP 500',1700000007.0);
INSERT INTO "failure" VALUES(2,X'65656565656565656565656565656565','timeout','slow',1700000008.0);
CREATE TABLE item (
	id INTEGER NOT NULL, 
	hash BLOB NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (hash)
);
INSERT INTO "item" VALUES(1,X'C64D8E76037049B826F94584CD0CA75A','{"changes":[],"cluster":"b/0","groups":{},"id":"b/0","images":[{"name":"images/1.png","sha256":"abababababababababababababababababababababababababababababababab"}],"labels":{},"language":"en","question":"what?","reference":{"kind":"text","text":"truth"}}');
INSERT INTO "item" VALUES(2,X'1D840AC6B196D7A7533FC1F13BE01779','{"changes":[],"cluster":"b/1","groups":{},"id":"b/1","images":[{"name":"images/1.png","sha256":"abababababababababababababababababababababababababababababababab"}],"labels":{},"language":"en","question":"什么？","reference":{"kind":"text","text":"truth"}}');
INSERT INTO "item" VALUES(3,X'098BAADCF20DA1B8A181ADEE130F11ED','{"changes":[],"cluster":"b/2","groups":{},"id":"b/2","images":[{"name":"images/1.png","sha256":"abababababababababababababababababababababababababababababababab"}],"labels":{},"language":"en","question":"where?","reference":{"kind":"text","text":"truth"}}');
INSERT INTO "item" VALUES(4,X'3A14E185F852D3393634E1F5B5C243B8','{"changes":[],"cluster":"b/3","groups":{},"id":"b/3","images":[{"name":"images/1.png","sha256":"abababababababababababababababababababababababababababababababab"}],"labels":{},"language":"en","question":"when?","reference":{"kind":"text","text":"truth"}}');
CREATE TABLE meta (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "meta" VALUES('schema_version','2');
INSERT INTO "meta" VALUES('planned:1','["sources",0,"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]');
CREATE TABLE owner (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	token TEXT NOT NULL, 
	host TEXT NOT NULL, 
	pid INTEGER NOT NULL, 
	started FLOAT NOT NULL, 
	UNIQUE (token)
);
CREATE TABLE reply (
	run_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	"key" BLOB NOT NULL, 
	PRIMARY KEY (run_id, position, attempt), 
	FOREIGN KEY(run_id) REFERENCES run (id)
)
 WITHOUT ROWID

;
INSERT INTO "reply" VALUES(2,0,0,X'64646464646464646464646464646464');
INSERT INTO "reply" VALUES(2,0,1,X'65656565656565656565656565656565');
CREATE TABLE run (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	"plan" BLOB NOT NULL, 
	parent INTEGER, 
	spec TEXT NOT NULL, 
	manifest TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	UNIQUE ("plan"), 
	FOREIGN KEY(parent) REFERENCES run (id)
);
INSERT INTO "run" VALUES(1,'b/m-1',X'70707070707070707070707070707070',NULL,'{"benchmark":"b"}','{"versions":{"snellen":"0.3.0"}}',1700000002.0);
INSERT INTO "run" VALUES(2,'b/m-1@judge',X'6A6A6A6A6A6A6A6A6A6A6A6A6A6A6A6A',1,'{"judge":"judge"}','{}',1700000003.0);
CREATE TABLE run_item (
	run_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	item_id INTEGER NOT NULL, 
	"key" BLOB, 
	error TEXT, 
	PRIMARY KEY (run_id, position), 
	FOREIGN KEY(run_id) REFERENCES run (id), 
	FOREIGN KEY(item_id) REFERENCES item (id)
)
 WITHOUT ROWID

;
INSERT INTO "run_item" VALUES(1,0,1,X'00000000000000000000000000000000',NULL);
INSERT INTO "run_item" VALUES(1,1,2,X'01010101010101010101010101010101',NULL);
INSERT INTO "run_item" VALUES(1,2,3,X'02020202020202020202020202020202',NULL);
INSERT INTO "run_item" VALUES(1,3,4,NULL,'no image');
CREATE TABLE sent (
	id INTEGER NOT NULL, 
	hash BLOB NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (hash)
);
INSERT INTO "sent" VALUES(1,X'FE58F3A87998F64A56E5310C79437D30','{"parameters":{"temperature":0},"server_model":"served"}');
CREATE TABLE verdict (
	run_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	value INTEGER, 
	unscored TEXT, 
	flags INTEGER NOT NULL, 
	reason TEXT NOT NULL, 
	measures TEXT, 
	PRIMARY KEY (run_id, position), 
	FOREIGN KEY(run_id) REFERENCES run (id)
)
 WITHOUT ROWID

;
INSERT INTO "verdict" VALUES(2,0,1,NULL,1,'it is','{"objects":[1.0,2.0]}');
INSERT INTO "verdict" VALUES(2,3,NULL,'model_error',0,'',NULL);
CREATE INDEX failure_key ON failure ("key");
CREATE INDEX batch_request_batch ON batch_request (batch_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('owner',1);
COMMIT;
