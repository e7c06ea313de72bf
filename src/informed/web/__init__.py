"""The lab: the same API in a browser, on this machine only. Started by `informed lab`."""
