-- Who Ranklark is to PostgreSQL: the owner of one database, and nothing else. Run by the superuser, in a new cluster by itself
-- (compose.yaml); elsewhere: psql -v password=… -f deploy/postgres-role.sql
CREATE ROLE ranklark LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE ranklark OWNER ranklark;
-- Nor is anybody else let in there, or Ranklark into what belongs to others.
REVOKE ALL ON DATABASE ranklark FROM PUBLIC;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;
