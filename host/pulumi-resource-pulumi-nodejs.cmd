@echo off
node --max-semi-space-size=2 "%~dp0..\dist\provider\host\start.js" %*
